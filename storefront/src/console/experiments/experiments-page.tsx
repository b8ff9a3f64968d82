import { endExperiment, experimentReport, getSearchSettings } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { count, plural } from '../../ui/offers.ts'
import { useConsole, useGo } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { PART_TITLES, type Part, type Settings } from '../tuning/settings.ts'
import { COMPARED, figureText, type Report, verdictOf } from './figures.ts'

type Experiment = NonNullable<Settings['experiment']>

/** A catalog's running experiment with its results, and previous experiments. */
export function ExperimentsPage() {
  const { connection, route } = useConsole()
  const { q } = useStore(route)
  const go = useGo()
  const catalog = useCatalog()
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (catalog === undefined) return undefined
      const { experiment } = await getSearchSettings(connection, { catalog }, { signal })
      const name = q ?? experiment?.name
      const report = name && (await experimentReport(connection, { catalog, name }, { signal }))
      return { experiment, report: report || undefined }
    },
    [connection, catalog, q],
  )
  const loaded = useLoaded(load)
  if (catalog === undefined) return <NoCatalog />
  return (
    <Page
      title="Experiments"
      lead="Test search settings on a share of visitors and compare the results."
      aside={<CatalogPicker />}
    >
      <Shown of={loaded}>
        {(found) =>
          found && (
            <>
              {found.experiment ? (
                <Running
                  key={found.experiment.name}
                  catalog={catalog}
                  experiment={found.experiment}
                  reload={loaded.reload}
                />
              ) : (
                <p>
                  No experiment is running. Change settings in{' '}
                  <a href={formatRoute({ page: 'tuning', catalog })}>Search tuning</a> and start an
                  experiment there.
                </p>
              )}
              {found.report && <Results report={found.report} />}
            </>
          )
        }
      </Shown>
      <form
        key={q}
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault()
          const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
          go({ page: 'experiments', catalog, ...(name ? { q: name } : {}) })
        }}
      >
        <label class="picker is-wide">
          Past experiment
          <input name="name" defaultValue={q ?? ''} maxLength={100} placeholder="Experiment name" />
        </label>
        <button type="submit" class="button">
          Show results
        </button>
      </form>
    </Page>
  )
}

interface RunningProps {
  readonly catalog: string
  readonly experiment: Experiment
  reload(): Promise<void>
}

function Running({ catalog, experiment: { name, share, variant }, reload }: RunningProps) {
  const { connection } = useConsole()
  const [ends, setEnds] = useState<{ readonly adopt: boolean }>()
  const parts = Object.keys(variant).map((part) => PART_TITLES[part as Part].toLowerCase())
  return (
    <section class="step" aria-labelledby="running">
      <h2 id="running">{name}</h2>
      <p>
        {Math.round(share * 100)}% of visitors search with the changed {parts.join(', ')}.
      </p>
      <p class="buttons">
        <button type="button" class="button" onClick={() => setEnds({ adopt: true })}>
          Apply to all visitors
        </button>
        <button type="button" class="button" onClick={() => setEnds({ adopt: false })}>
          End experiment
        </button>
      </p>
      {ends && (
        <Confirm
          title={ends.adopt ? `Apply ${name} to all visitors` : `End ${name}`}
          verb={ends.adopt ? 'Apply to all visitors' : 'End experiment'}
          onClose={() => setEnds(undefined)}
          work={async () => {
            await endExperiment(connection, { catalog, name, ...ends })
            await reload()
          }}
        >
          <p>
            {ends.adopt
              ? `The changed ${parts.join(', ')} replace the saved settings for all visitors.`
              : 'All visitors search with the saved settings again. Results are kept.'}
          </p>
        </Confirm>
      )}
    </section>
  )
}

const NAMES = Object.keys(COMPARED) as (keyof typeof COMPARED)[]

const Results = ({
  report: { name, running, from, to, control, variant, difference },
}: {
  report: Report
}) => (
  <section class="step" aria-labelledby="results">
    <h2 id="results">Results for {name}</h2>
    <p>
      {from} to {to}
      {running ? '' : ' (ended)'}. {plural(control.trackedSearches, 'search', 'searches')} in the
      control group, {count(variant.trackedSearches)} in the variant.
    </p>
    <Table
      label={`Results for ${name}`}
      heads={['Metric', 'Control#', 'Variant#', 'Difference (95% CI)#', 'Result']}
    >
      {NAMES.map((of) => {
        const { text, verdict } = verdictOf(of, difference[of])
        return (
          <tr key={of}>
            <th scope="row">{COMPARED[of].title}</th>
            <td class="is-amount">{figureText(of, control[of])}</td>
            <td class="is-amount">{figureText(of, variant[of])}</td>
            <td class="is-amount">{text}</td>
            <td>{verdict}</td>
          </tr>
        )
      })}
    </Table>
  </section>
)
