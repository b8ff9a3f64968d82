import { searchReport } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { count } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { Days } from './days.tsx'

const KINDS = {
  withoutResults: 'No results',
  popular: 'Top searches',
  notChosen: 'No clicks',
} as const

const NONE = {
  withoutResults: 'Every search in this period had results.',
  popular: 'No searches in this period.',
  notChosen: 'Every tracked search led to a click.',
} as const

const isKind = (tab: string): tab is keyof typeof KINDS => Object.hasOwn(KINDS, tab)

/** Searches of the last 30 days, and those without results. */
export function ReportsPage() {
  const { route } = useConsole()
  const { tab = 'withoutResults' } = useStore(route)
  const catalog = useCatalog()
  if (catalog === undefined) return <NoCatalog />
  const kind = isKind(tab) ? tab : 'withoutResults'
  return (
    <Page
      title="Search reports"
      lead="What shoppers searched for in the last 30 days. Reports are anonymous."
      aside={<CatalogPicker />}
    >
      <Days key={catalog} catalog={catalog} />
      <nav class="tabs" aria-label="Reports">
        {Object.entries(KINDS).map(([name, title]) => (
          <a
            key={name}
            href={formatRoute({ page: 'reports', catalog, tab: name })}
            aria-current={name === kind ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <Queries key={`${catalog} ${kind}`} catalog={catalog} kind={kind} />
    </Page>
  )
}

const percent = (rate: number | null): string =>
  rate === null ? '–' : `${Math.round(rate * 100)}%`

function Queries({ catalog, kind }: { catalog: string; kind: keyof typeof KINDS }) {
  const { connection } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => searchReport(connection, { catalog, kind }, { signal }),
    [connection, catalog, kind],
  )
  return (
    <Shown of={useLoaded(load)}>
      {({ queries }) =>
        queries.length === 0 ? (
          <p>{NONE[kind]}</p>
        ) : (
          <Table
            label={KINDS[kind]}
            heads={[
              'Query',
              'Searches#',
              'No results#',
              'Click rate#',
              'Conversion rate#',
              'Actions',
            ]}
          >
            {queries.map(({ query, ...figures }) => (
              <tr key={query}>
                <th scope="row">{query}</th>
                <td class="is-amount">{count(figures.searches)}</td>
                <td class="is-amount">{count(figures.withoutResults)}</td>
                <td class="is-amount">{percent(figures.clickThroughRate)}</td>
                <td class="is-amount">{percent(figures.conversionRate)}</td>
                <td>
                  <a
                    class="button"
                    aria-label={`Add synonym for ${query}`}
                    href={formatRoute({ page: 'tuning', catalog, tab: 'synonyms', q: query })}
                  >
                    Add synonym
                  </a>
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Shown>
  )
}
