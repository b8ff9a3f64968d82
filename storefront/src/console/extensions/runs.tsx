import { getExtensionLogs } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { count, plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'

/** The runs of an installed extension, newest first. */
export function Runs({ id }: { id: string }) {
  const { connection } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => getExtensionLogs(connection, { id }, { signal }),
    [connection, id],
  )
  return (
    <Shown of={useLoaded(load)}>
      {({ items }) =>
        items.length === 0 ? (
          <p>Has not run yet.</p>
        ) : (
          <ol class="tasks">
            {items.map((run) => (
              <li
                key={run.timestamp + run.action}
                class={run.success ? 'task is-completed' : 'task is-failed'}
              >
                <p>
                  <b>{run.action}</b> by {run.username}, {new Date(run.timestamp).toLocaleString()}
                </p>
                <p class={run.success ? undefined : 'problem'}>{run.errorMessage ?? run.message}</p>
                <p class="amount">
                  {plural(run.productCount, 'product')} · {count(run.timeTaken)} ms
                </p>
              </li>
            ))}
          </ol>
        )
      }
    </Shown>
  )
}
