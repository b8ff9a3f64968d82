import { type Answer, getCallbacks, redeliverCallback, rotateCallbackSecret } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { NewKey } from '../keys/new-key.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'

type Delivery = Answer<'getCallbacks'>['items'][number]

/** Callbacks sent when tasks completed, and whether they were delivered. */
export function CallbacksPage() {
  const { connection } = useConsole()
  const [asks, setAsks] = useState(false)
  const [secret, setSecret] = useState<string>()
  const load = useCallback(
    (signal: AbortSignal) => getCallbacks(connection, { pageSize: 100 }, { signal }),
    [connection],
  )
  const loaded = useLoaded(load)
  return (
    <Page
      title="Callbacks"
      lead="Sent to callback URLs when tasks end. Latest 100 of the last 30 days."
      aside={
        <button type="button" class="button" onClick={() => setAsks(true)}>
          Rotate signing secret
        </button>
      }
    >
      <Shown of={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>No callbacks in the last 30 days.</p>
          ) : (
            <Table
              label="Callbacks"
              heads={['URL', 'Status', 'Last attempt', 'Next attempt', 'Actions']}
            >
              {items.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} reload={loaded.reload} />
              ))}
            </Table>
          )
        }
      </Shown>
      {asks && (
        <Confirm
          title="Rotate signing secret"
          verb="Rotate secret"
          onClose={() => setAsks(false)}
          work={async () => {
            setSecret((await rotateCallbackSecret(connection)).secret)
          }}
        >
          <p>
            Callbacks are signed with the new secret and, for 24 hours, with the current one as
            well.
          </p>
        </Confirm>
      )}
      {secret !== undefined && (
        <NewKey what="signing secret" secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  )
}

const STATUSES: Readonly<Record<Delivery['status'], string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
}

const timeOf = (time: string | undefined | null): string =>
  time ? new Date(time).toLocaleString() : '–'

function Row({ delivery, reload }: { delivery: Delivery; reload(): Promise<void> }) {
  const { connection } = useConsole()
  const action = useAction()
  const { id, url, status, attempts, nextAttempt } = delivery
  const last = attempts.at(-1)
  return (
    <tr>
      <th scope="row">
        {url || 'URL not available'}
        <ActionStatus action={action} />
      </th>
      <td>{STATUSES[status]}</td>
      <td>
        {timeOf(last?.time)}
        {last && <small>{last.error ?? `HTTP ${last.status}`}</small>}
      </td>
      <td>{timeOf(nextAttempt)}</td>
      <td>
        <button
          type="button"
          class="button"
          disabled={action.busy}
          aria-label={`Resend to ${url}`}
          onClick={() =>
            action.run(async () => {
              await redeliverCallback(connection, { id })
              await reload()
              return 'Queued for delivery.'
            })
          }
        >
          Resend
        </button>
      </td>
    </tr>
  )
}
