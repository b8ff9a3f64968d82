import { useEffect, useState } from 'preact/hooks'
import type { Facet, FacetsState } from '../shop/connect-facets.ts'
import type { Counted } from '../shop/types.ts'
import { count } from './offers.ts'

const FIRST_VALUES = 6
/** Longer lists get a search field. */
const SEARCHED_FROM = 12

interface FacetProps {
  readonly facet: Facet
  readonly choose: FacetsState['choose']
  readonly find: FacetsState['find']
  readonly isOpen: boolean
}

export function FacetFilter({
  facet: { attribute, name, values },
  choose,
  find,
  isOpen,
}: FacetProps) {
  const [all, setAll] = useState(false)
  const [text, setText] = useState('')
  const found = useFound(text, (wanted) => find(attribute, wanted))
  const chosen = new Set(values.filter(({ isChosen }) => isChosen).map(({ value }) => value))
  const listed = found ?? (all ? values : withChosen(values))
  return (
    <details class="filter" open={isOpen}>
      <summary>
        {name}
        {chosen.size > 0 && <span class="badge">{chosen.size}</span>}
      </summary>
      {values.length >= SEARCHED_FROM && (
        <input
          type="search"
          class="facet-search"
          aria-label={`Search ${name}`}
          placeholder={`Search ${name}`}
          maxLength={100}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul>
        {listed.map(({ value, count: products }) => (
          <li key={value}>
            <label class="choice">
              <input
                type="checkbox"
                checked={chosen.has(value)}
                onChange={() => choose(attribute, value)}
              />
              <span class="choice-text">{value}</span>
              <span class="amount">{count(products)}</span>
            </label>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p class="none">No matches for “{text}”</p>}
      {!found && values.length > FIRST_VALUES && (
        <button type="button" class="more" onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show all ${count(values.length)}`}
        </button>
      )}
    </details>
  )
}

const withChosen = (values: Facet['values']) =>
  values.filter(({ isChosen }, at) => at < FIRST_VALUES || isChosen)

/** The values that contain a text; undefined if the text is empty. */
function useFound(text: string, find: (text: string) => Promise<readonly Counted[]>) {
  const [found, setFound] = useState<readonly Counted[]>()
  useEffect(() => {
    let isOver = false
    if (text.trim() === '') setFound(undefined)
    else {
      find(text.trim()).then(
        (values) => {
          if (!isOver) setFound(values)
        },
        () => undefined,
      )
    }
    return () => {
      isOver = true
    }
  }, [text])
  return found
}
