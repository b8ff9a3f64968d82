import { endExperiment, experimentReport, getSearchSettings } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { count } from '../../ui/offers.ts'
import { useConsole, useGo } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { PART_TITLES, type Part, type Settings } from '../tuning/settings.ts'
import { COMPARED, figureText, type Report, verdictOf } from './figures.ts'

type Experiment = NonNullable<Settings['experiment']>

/** The experiment of a catalog, what came of it, and of earlier ones. */
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
      lead="Some visitors search by other settings than the rest: what do both choose?"
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
                  None runs. Change something in{' '}
                  <a href={formatRoute({ page: 'tuning', catalog })}>Search tuning</a>, and compare
                  it there as an experiment.
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
          Results of an earlier one
          <input name="name" defaultValue={q ?? ''} maxLength={100} placeholder="Its name" />
        </label>
        <button type="submit" class="button">
          Show them
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
        {Math.round(share * 100)} % of the visitors search by other {parts.join(', ')}.
      </p>
      <p class="buttons">
        <button type="button" class="button" onClick={() => setEnds({ adopt: true })}>
          Adopt it for all
        </button>
        <button type="button" class="button" onClick={() => setEnds({ adopt: false })}>
          End it
        </button>
      </p>
      {ends && (
        <Confirm
          title={ends.adopt ? `Adopt ${name}` : `End ${name}`}
          verb={ends.adopt ? 'Adopt it for all' : 'End it'}
          onClose={() => setEnds(undefined)}
          work={async () => {
            await endExperiment(connection, { catalog, name, ...ends })
            await reload()
          }}
        >
          <p>
            {ends.adopt
              ? `Its ${parts.join(', ')} replace those that are saved, for every visitor.`
              : 'Every visitor searches by what is saved. Its results stay.'}
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
    <h2 id="results">Results of {name}</h2>
    <p>
      {from} to {to}
      {running ? '' : '; it has ended'}. {count(control.trackedSearches)} searches by what is saved,{' '}
      {count(variant.trackedSearches)} by the variant.
    </p>
    <Table
      label={`Results of ${name}`}
      heads={['What', 'As saved#', 'Variant#', 'Difference, with 95 % confidence#', 'Verdict']}
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
