import { useEffect, useRef, useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { Card } from './card.tsx'
import { Chosen } from './chosen.tsx'
import { Filters } from './filters.tsx'
import { Icon } from './icons.tsx'
import { plural } from './offers.ts'
import { Pages } from './pages.tsx'
import { Failed, Notice } from './states.tsx'
import { Switch } from './switch.tsx'

const EAGER = 8
const WAITING_CARDS = 12

export function Results() {
  const { search, session } = useShop()
  const results = useStore(search.results)
  const status = useStore(search.status)
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useTitle()
  if (status.kind === 'failed') {
    return (
      <Failed
        title="Something went wrong with your search"
        problem={status.message}
        retry={search.again}
      />
    )
  }
  return (
    <div class="shelves">
      <aside class="side" aria-label="Filters">
        <Filters />
      </aside>
      <section class="found" aria-label="Products" aria-busy={status.kind === 'stalled'}>
        <div class="found-head">
          <h1>{title}</h1>
          <p class="found-count" role="status">
            {results ? plural(results.answer.total, 'product') : 'Searching…'}
          </p>
          <button
            type="button"
            class="button open-filters"
            onClick={() => dialog.current?.showModal()}
          >
            <Icon name="filter" />
            Filters
          </button>
          {session.isMember && <ExplainSwitch />}
          {results?.answer.total !== 0 && <Sort />}
        </div>
        <Understood />
        <Chosen />
        <Grid />
        <Pages />
      </section>
      <FiltersDialog dialog={dialog} />
    </div>
  )
}

/** The title: the query, else the category. */
function useTitle(): string {
  const { router } = useShop()
  const { search } = useStore(router.route)
  const category = search.hierarchicalMenu?.['categories.lvl0']?.at(-1)
  const title = search.query?.trim() ? `“${search.query.trim()}”` : (category ?? 'All products')
  useEffect(() => {
    document.title = `${title} · Aisle`
  }, [title])
  return title
}

function Grid() {
  const { search } = useShop()
  const results = useStore(search.results)
  const status = useStore(search.status)
  if (!results) {
    return (
      <ul class="grid" aria-hidden="true">
        {Array.from({ length: WAITING_CARDS }, (_, at) => (
          <li key={at} class="card is-waiting" />
        ))}
      </ul>
    )
  }
  if (results.answer.total === 0) return <NoResults />
  return (
    <ul class={status.kind === 'stalled' ? 'grid is-stale' : 'grid'} aria-label="Results">
      {results.answer.products.map((product, at) => (
        // Keyed by position: while typing, updating text is faster than creating cards.
        <Card key={at} product={product} eager={at < EAGER} />
      ))}
    </ul>
  )
}

/** Tells which words were corrected or ignored. */
function Understood() {
  const { search } = useShop()
  const results = useStore(search.results)
  const { correctedTo, droppedWords = [] } = results?.answer ?? {}
  if (!correctedTo && droppedWords.length === 0) return null
  const words = droppedWords.map((word) => `“${word}”`).join(', ')
  return (
    <p class="understood" role="status">
      {correctedTo && (
        <>
          No results for “{results?.query.trim()}”. Showing results for{' '}
          <strong>{correctedTo}</strong>.{' '}
        </>
      )}
      {droppedWords.length > 0 && (
        <>
          No matches for {words}, so we left {droppedWords.length === 1 ? 'it' : 'them'} out.
        </>
      )}
    </p>
  )
}

function NoResults() {
  const { search } = useShop()
  const results = useStore(search.results)
  const clear = useStore(search.clear)
  return (
    <Notice title={clear?.canRefine ? 'No products match your filters' : 'No products found'}>
      <p>
        {clear?.canRefine
          ? 'Try removing a filter, or clear them all.'
          : `We couldn’t find anything for “${results?.query.trim()}”. Check the spelling, or try a product type, brand or part number.`}
      </p>
      {clear?.canRefine ? (
        <button type="button" class="button is-main" onClick={() => clear.refine()}>
          Clear all filters
        </button>
      ) : (
        <a class="button is-main" href="./">
          Browse all categories
        </a>
      )}
    </Notice>
  )
}

function ExplainSwitch() {
  const { search } = useShop()
  const explains = useStore(search.explains)
  return (
    <Switch class="explain-switch" on={explains} onChange={search.explain}>
      Explain ranking
    </Switch>
  )
}

function Sort() {
  const { search } = useShop()
  const sort = useStore(search.sort)
  if (!sort) return null
  return (
    <label class="sort">
      <span aria-hidden="true">Sort by</span>
      <select
        aria-label="Sort by"
        value={sort.currentRefinement}
        onChange={(event) => sort.refine(event.currentTarget.value)}
      >
        {sort.options.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** On small screens the filters cover the page, with the number of results. */
function FiltersDialog({ dialog }: { dialog: { readonly current: HTMLDialogElement | null } }) {
  const { search } = useShop()
  const results = useStore(search.results)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const watched = dialog.current!
    const look = () => setIsOpen(watched.open)
    const observer = new MutationObserver(look)
    observer.observe(watched, { attributeFilter: ['open'] })
    return () => observer.disconnect()
  }, [dialog])
  const close = () => dialog.current?.close()
  return (
    <dialog ref={dialog as never} class="drawer" aria-label="Filters">
      <div class="drawer-head">
        <h2>Filters</h2>
        <button type="button" class="close" aria-label="Close filters" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {isOpen && <Filters />}
      <div class="drawer-foot">
        <button type="button" class="button is-main" onClick={close}>
          Show {plural(results?.answer.total ?? 0, 'product')}
        </button>
      </div>
    </dialog>
  )
}
