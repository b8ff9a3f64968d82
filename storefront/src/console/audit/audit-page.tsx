import { getAuditLog } from 'aisle-client'
import { useCallback, useMemo, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole, useGo } from '../console.ts'
import { valuesOf } from '../parts/field.tsx'
import { Page } from '../parts/page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import {
  type AuditEntry,
  isTarget,
  meansText,
  outcomeText,
  TARGETS,
  type Target,
  targetText,
} from './words.ts'

const PAGE_SIZE = 100

/** The filters of the log. */
interface Wish {
  readonly target: Target | undefined
  readonly user: string
  /** Whether to include entries that only read something. */
  readonly reads: boolean
}

/** The audit log: who created, changed or viewed keys, users, extensions and settings. */
export function AuditPage() {
  const { route } = useConsole()
  const go = useGo()
  const { tab, q: user = '', id } = useStore(route)
  const target = isTarget(tab) ? tab : undefined
  const reads = id === 'reads'
  const wish = useMemo(() => ({ target, user, reads }), [target, user, reads])
  return (
    <Page
      title="Audit log"
      lead="Changes to API keys, users, extensions and settings, newest first."
    >
      <search>
        <form
          key={`${tab} ${user} ${reads}`}
          class="row-form"
          onSubmit={(event) => {
            event.preventDefault()
            const value = valuesOf(event.currentTarget)
            const said = { tab: value('target'), q: value('user'), id: value('reads') }
            const given = Object.entries(said).filter(([, text]) => text !== '')
            go({ page: 'audit', ...Object.fromEntries(given) })
          }}
        >
          <label class="picker">
            Type
            <select name="target">
              <option value="">All types</option>
              {Object.entries(TARGETS).map(([name, label]) => (
                <option key={name} value={name} selected={name === target}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="picker">
            User
            <input name="user" defaultValue={user} maxLength={200} autoComplete="off" />
          </label>
          <label class="picker">
            Activity
            <select name="reads">
              <option value="">Changes only</option>
              <option value="reads" selected={reads}>
                Changes and reads
              </option>
            </select>
          </label>
          <button type="submit" class="button is-main">
            Apply
          </button>
        </form>
      </search>
      <Entries key={`${tab} ${user} ${reads}`} wish={wish} />
    </Page>
  )
}

const queryOf = ({ target, user, reads }: Wish, after: string) => ({
  pageSize: PAGE_SIZE,
  ...(target ? { target } : {}),
  ...(user ? { user } : {}),
  ...(reads ? {} : { reads: false }),
  ...(after ? { after } : {}),
})

function Entries({ wish }: { wish: Wish }) {
  const { connection } = useConsole()
  /** Start cursors of the pages visited so far; the last one is shown. */
  const [begins, setBegins] = useState<readonly string[]>([''])
  const after = begins.at(-1)!
  const action = useAction()
  const load = useCallback(
    (signal: AbortSignal) => getAuditLog(connection, queryOf(wish, after), { signal }),
    [connection, wish, after],
  )
  const save = () =>
    action.run(async () => {
      const table = await getAuditLog(connection, { ...queryOf(wish, after), format: 'csv' })
      saveFile(new Blob([table], { type: 'text/csv' }), 'audit.csv')
      return undefined
    })
  return (
    <Shown of={useLoaded(load)}>
      {({ items, after: next }) => (
        <>
          {items.length === 0 ? (
            <p class="none">No matching entries.</p>
          ) : (
            <Table
              label="Audit log"
              heads={['Time', 'User', 'Action', 'Target', 'Changes']}
              isWhole
            >
              {items.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </Table>
          )}
          <ActionStatus action={action} />
          <nav class="buttons pages" aria-label="Pages">
            <button
              type="button"
              class="button"
              disabled={begins.length === 1}
              onClick={() => setBegins(begins.slice(0, -1))}
            >
              Newer
            </button>
            <button
              type="button"
              class="button"
              disabled={next === undefined}
              onClick={() => setBegins([...begins, next!])}
            >
              Older
            </button>
            <button
              type="button"
              class="button"
              disabled={items.length === 0 || action.busy}
              onClick={save}
            >
              Export page as CSV
            </button>
          </nav>
        </>
      )}
    </Shown>
  )
}

function Row({ entry }: { entry: AuditEntry }) {
  const { time, actor, operation, requestId, changes, moreChanges } = entry
  const outcome = outcomeText(entry)
  return (
    <tr>
      <th scope="row">
        {new Date(time).toLocaleString()}
        <small title="Request ID">{requestId}</small>
      </th>
      <td>
        {actor.username}
        <small>{meansText(entry)}</small>
      </td>
      <td>
        {operation}
        {outcome && (
          <small class={entry.outcome === 'done' ? undefined : 'problem'}>{outcome}</small>
        )}
      </td>
      <td>{targetText(entry)}</td>
      <td>
        <ul class="changes">
          {changes.map(({ field, from, to }) => (
            <li key={field}>
              {field}
              {to === undefined ? '' : ': '}
              {from && <del>{from}</del>} {to && <ins>{to}</ins>}
            </li>
          ))}
          {moreChanges > 0 && <li>{moreChanges} more</li>}
        </ul>
      </td>
    </tr>
  )
}
