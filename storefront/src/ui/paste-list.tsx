import { addItemsToWorkspace, createWorkspace, runRecommendationExtension } from 'aisle-client'
import { useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import type { Workspace } from '../shop/types.ts'
import { type ListLine, type PastedList, pastedList, picked } from './list-lines.ts'
import { plural } from './offers.ts'
import { useTold } from './told.tsx'

interface PasteProps {
  readonly lists: readonly Workspace[]
  onAdded(): Promise<void>
}

/** Pastes a list: shows the match of each line, and adds the products to a list. */
export function PasteList({ lists, onAdded }: PasteProps) {
  const { connection, session } = useShop()
  const [found, setFound] = useState<PastedList>()
  const [picks, setPicks] = useState<Readonly<Record<string, string>>>({})
  const { told, tell } = useTold()
  const match = (form: HTMLFormElement) =>
    tell(async () => {
      const text = String(new FormData(form).get('text'))
      const additionalFields = { catalog: session.access.catalog, text }
      const answer = await runRecommendationExtension(connection, {
        extension: 'bom',
        additionalFields,
      })
      setPicks({})
      setFound(pastedList(text, answer))
      return undefined
    })
  const items = picked(found?.lines ?? [], picks)
  const add = (form: HTMLFormElement) =>
    tell(async () => {
      const list = String(new FormData(form).get('list')).trim()
      if (!lists.some(({ name }) => name === list)) {
        await createWorkspace(connection, { name: list })
      }
      await addItemsToWorkspace(connection, { workspace: list, items })
      setFound(undefined)
      await onAdded()
      return `Added to ${list}.`
    })
  return (
    <section class="paste" aria-labelledby="paste">
      <h2 id="paste">Paste a parts list</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void match(event.currentTarget)
        }}
      >
        <textarea
          name="text"
          rows={4}
          required
          aria-label="Part numbers and quantities, one per line"
          placeholder={'2x DS18HC-001015-194\n10 pcs hex bolt M8x40'}
        />
        <button type="submit" class="button is-main">
          Find products
        </button>
      </form>
      {told}
      {found && found.lines.length === 0 && (
        <p role="status">No matches found. Check the part numbers and try again.</p>
      )}
      {found && found.lines.length > 0 && (
        <form
          class="matches"
          onSubmit={(event) => {
            event.preventDefault()
            void add(event.currentTarget)
          }}
        >
          <ul>
            {found.lines.map((line) => (
              <Line
                key={line.group}
                line={line}
                pick={picks[line.group] ?? line.sure}
                onPick={(productId) => setPicks({ ...picks, [line.group]: productId })}
              />
            ))}
            {found.unknown.map((line, at) => (
              <li key={at}>
                <span class="match-line">{line}</span>
                <span class="match-none">No matches for this line</span>
              </li>
            ))}
          </ul>
          <label>
            List
            <input
              name="list"
              maxLength={200}
              required
              defaultValue={lists[0]?.name ?? 'My list'}
            />
          </label>
          <button type="submit" class="button is-main" disabled={items.length === 0}>
            {items.length === 0 ? 'Add to list' : `Add ${plural(items.length, 'item')} to list`}
          </button>
        </form>
      )}
    </section>
  )
}

interface LineProps {
  readonly line: ListLine
  readonly pick: string
  onPick(productId: string): void
}

function Line({ line: { text, quantity, choices, sure }, pick, onPick }: LineProps) {
  return (
    <li>
      <span class="match-line">
        <strong>{quantity}×</strong> {text}
      </span>
      <select
        aria-label={`Product for ${text}`}
        class={sure ? 'is-sure' : ''}
        value={pick}
        onChange={(event) => onPick(event.currentTarget.value)}
      >
        <option value="">
          {sure || pick
            ? 'Skip this line'
            : `Choose from ${plural(choices.length, 'possible match', 'possible matches')}`}
        </option>
        {choices.map(({ productId, name, scorer, score }) => (
          <option key={productId} value={productId}>
            {name ?? productId} ({scorer}, {Math.round(score * 100)}% match)
          </option>
        ))}
      </select>
    </li>
  )
}
