import { type Answer, disableAPIKey, getAPIKeys } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { CreateKey } from './create-key.tsx'
import { NewKey } from './new-key.tsx'

type ApiKey = Answer<'getAPIKeys'>['keys'][number]

/** The keys of the organization, without their secrets, and a new one. */
export function KeysPage() {
  const { connection } = useConsole()
  const [made, setMade] = useState<string>()
  const [going, setGoing] = useState<ApiKey>()
  const load = useCallback(
    (signal: AbortSignal) => getAPIKeys(connection, {}, { signal }),
    [connection],
  )
  const loaded = useLoaded(load)
  return (
    <Page
      title="Keys"
      lead="A key says who asks. A page that everybody may open gets a search key that is bound to what the page shows."
    >
      <Shown of={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p>There is no key yet.</p>
          ) : (
            <Table
              label="Keys"
              heads={['Name', 'Type', 'User', 'Bound to', 'Last used', 'Expires', 'Actions']}
            >
              {keys.map((key) => (
                <Row key={key.id} apiKey={key} onDisable={() => setGoing(key)} />
              ))}
            </Table>
          )
        }
      </Shown>
      <section class="step" aria-labelledby="create">
        <h2 id="create">New key</h2>
        <CreateKey
          onCreated={async (secret) => {
            setMade(secret)
            await loaded.reload()
          }}
        />
      </section>
      {made !== undefined && <NewKey secret={made} onClose={() => setMade(undefined)} />}
      {going && (
        <Confirm
          title={`Disable ${going.name}`}
          verb="Disable the key"
          onClose={() => setGoing(undefined)}
          work={async () => {
            await disableAPIKey(connection, { id: going.id })
            await loaded.reload()
          }}
        >
          <p>
            Whoever uses the key that begins with {going.prefix} is refused from now on. It cannot
            be enabled again.
          </p>
        </Confirm>
      )}
    </Page>
  )
}

function Row({ apiKey, onDisable }: { apiKey: ApiKey; onDisable(): void }) {
  const { name, prefix, keyType, username, enabled, lastUsed, expires } = apiKey
  return (
    <tr class={enabled ? undefined : 'is-off'}>
      <th scope="row">
        {name}
        <small>{prefix}…</small>
      </th>
      <td>{keyType}</td>
      <td>{username}</td>
      <td>
        {boundsOf(apiKey).map((bound) => (
          <small key={bound}>{bound}</small>
        ))}
      </td>
      <td>{lastUsed ? new Date(lastUsed).toLocaleString() : 'Never'}</td>
      <td>{expires ? new Date(expires).toLocaleDateString() : 'Never'}</td>
      <td>
        {enabled ? (
          <button type="button" class="button" aria-label={`Disable ${name}`} onClick={onDisable}>
            Disable
          </button>
        ) : (
          'Disabled'
        )}
      </td>
    </tr>
  )
}

/** What a key is bound to, in short. */
function boundsOf({ catalogs, filter, hide, rate, origins, priceList }: ApiKey): string[] {
  const filtered = Object.entries(filter ?? {})
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name, value]) => `${name} ${shown(value)}`)
  return [
    ...(catalogs ? [`catalogs ${catalogs.join(', ')}`] : []),
    ...filtered,
    ...(priceList ? [`prices of ${priceList}`] : []),
    ...(hide.length > 0 ? [`hides ${hide.join(', ')}`] : []),
    ...(rate?.perSecond ? [`${rate.perSecond} a second`] : []),
    ...(rate?.perAddress ? [`${rate.perAddress} a second of an address`] : []),
    ...(origins ? [`pages of ${origins.join(', ')}`] : []),
  ]
}

function shown(value: unknown): string {
  if (value === true) return 'only'
  if (!Array.isArray(value)) return String(value)
  return value
    .map((one) => (typeof one === 'string' ? one : Object.values(one).join(' ')))
    .join(', ')
}
