import { getProductLogs, restoreProduct } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { labelOf } from './labels.ts'

interface ChangeLogProps {
  readonly catalog: string
  readonly id: string
  onRestored(): Promise<void>
}

/** The history of a product: what changed and who changed it, with a way to restore a version. */
export function ChangeLog({ catalog, id, onRestored }: ChangeLogProps) {
  const { connection } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => getProductLogs(connection, { catalog, id }, { signal }),
    [connection, catalog, id],
  )
  const loaded = useLoaded(load)
  const action = useAction()
  const restore = (logId: string) =>
    action.run(async () => {
      await restoreProduct(connection, { catalog, id, logId })
      await onRestored()
      return undefined
    })
  return (
    <section class="step" aria-labelledby="log">
      <h2 id="log">Change history</h2>
      <ActionStatus action={action} />
      <Shown of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="none">No changes yet. Imports that create products are not recorded.</p>
          ) : (
            <ol class="log">
              {items.map(({ id: logId, updatedBy, timestamp, source, changes }) => (
                <li key={logId}>
                  <p>
                    <b>{updatedBy}</b>, {new Date(timestamp).toLocaleString()}, via{' '}
                    {SOURCES[source]}{' '}
                    <button
                      type="button"
                      class="more"
                      disabled={action.busy}
                      aria-label={`Revert: ${changes.map(({ field }) => labelOf(field)).join(', ')}`}
                      onClick={() => restore(logId)}
                    >
                      Revert
                    </button>
                  </p>
                  <dl>
                    {changes.map(({ field, before, after }) => (
                      <div key={field}>
                        <dt>{labelOf(field)}</dt>
                        <dd>
                          <del>{shown(before)}</del> <ins>{shown(after)}</ins>
                        </dd>
                      </div>
                    ))}
                  </dl>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
    </section>
  )
}

/** Labels of the sources of a change. */
const SOURCES = {
  api: 'API',
  import: 'import',
  copy: 'copy',
  'real-time': 'real-time update',
} as const

const LONGEST = 300

function shown(value: unknown): string {
  const text = textOf(value) || 'empty'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

/** A field's value on one line, without empty properties. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(textOf).join('; ')
  return Object.entries(value)
    .flatMap(([name, inner]) => (textOf(inner) === '' ? [] : [`${name}: ${textOf(inner)}`]))
    .join(', ')
}
