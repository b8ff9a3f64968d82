import { type Answer, searchUsage } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { count } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'

/** The month of a time such as `2026-11`, in UTC as for credits. */
const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

/** Searches per user and per key in a month. */
export function UsagePage() {
  const { connection } = useConsole()
  const [month, setMonth] = useState(() => monthOf(new Date()))
  const load = useCallback(
    (signal: AbortSignal) => {
      const [year, number] = month.split('-').map(Number)
      return searchUsage(connection, { year: year!, month: number! }, { signal })
    },
    [connection, month],
  )
  return (
    <Page
      title="Usage"
      lead="Searches per month (UTC). Each answered search uses one credit."
      aside={
        <label class="picker">
          Month
          <input
            type="month"
            value={month}
            max={monthOf(new Date())}
            onChange={({ currentTarget }) => {
              if (currentTarget.value) setMonth(currentTarget.value)
            }}
          />
        </label>
      }
    >
      <Shown of={useLoaded(load)}>
        {({ users, apiKeys, searchCreditsUsed, searchCreditsRemaining }) => (
          <>
            <dl class="counts">
              <div>
                <dt>Credits used</dt>
                <dd>{count(searchCreditsUsed)}</dd>
              </div>
              {searchCreditsRemaining !== null && (
                <div>
                  <dt>Remaining this month</dt>
                  <dd>{count(searchCreditsRemaining)}</dd>
                </div>
              )}
            </dl>
            <Shares title="By API key" used={apiKeys} />
            <Shares title="By user" used={users} />
          </>
        )}
      </Shown>
    </Page>
  )
}

/** A bar chart of searches, largest first. */
function Shares({ title, used }: { title: string; used: Answer<'searchUsage'>['users'] }) {
  const entries = Object.entries(used).sort(
    ([, one], [, other]) => other.searchCount - one.searchCount,
  )
  const most = Math.max(1, ...entries.map(([, { searchCount }]) => searchCount))
  return (
    <section class="step">
      <h2>{title}</h2>
      {entries.length === 0 ? (
        <p class="none">No searches this month.</p>
      ) : (
        <Table label={title} heads={['Name', 'Share', 'Searches#']}>
          {entries.map(([name, { searchCount }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="share">
                <meter min={0} max={most} value={searchCount} aria-label={`Searches by ${name}`} />
              </td>
              <td class="is-amount">{count(searchCount)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}
