import { type Answer, disableAPIKey, getAPIKeys } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { CreateKey } from './create-key.tsx'
import { NewKey } from './new-key.tsx'

const TYPES = { search: 'Search', import: 'Import', full: 'Full' } as const

/** Labels of a key's filters and hidden fields. */
const FILTERS: Readonly<Record<string, string>> = {
  manufacturer: 'Manufacturers',
  vendors: 'Vendors',
  segment: 'Segment',
  category: 'Category',
  subCategory: 'Subcategory',
  inStock: 'In stock',
  must: 'Required',
  exclude: 'Excluded',
}
const HIDDEN: Readonly<Record<ApiKey['hide'][number], string>> = {
  'vendors.vendorName': 'vendor names',
  'vendors.vendorPartNumber': 'vendor part numbers',
  'vendors.cost': 'costs',
  'vendors.onHand': 'stock counts',
  msrp: 'list prices',
  links: 'links',
  notes: 'notes',
}

type ApiKey = Answer<'getAPIKeys'>['keys'][number]

/** The keys of the organization without their secrets, and a form to create one. */
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
      title="API keys"
      lead="Keys identify who makes a request. For public pages, use a search key limited to what the page shows."
    >
      <Shown of={loaded}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p>No API keys yet.</p>
          ) : (
            <Table
              label="API keys"
              heads={['Name', 'Type', 'User', 'Restrictions', 'Last used', 'Expires', 'Actions']}
            >
              {keys.map((key) => (
                <Row key={key.id} apiKey={key} onDisable={() => setGoing(key)} />
              ))}
            </Table>
          )
        }
      </Shown>
      <section class="step" aria-labelledby="create">
        <h2 id="create">New API key</h2>
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
          verb="Disable key"
          onClose={() => setGoing(undefined)}
          work={async () => {
            await disableAPIKey(connection, { id: going.id })
            await loaded.reload()
          }}
        >
          <p>
            Requests with the key that starts with {going.prefix} will be rejected. A disabled key
            cannot be enabled again.
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
      <td>{TYPES[keyType]}</td>
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

/** A summary of a key's restrictions. */
function boundsOf({ catalogs, filter, hide, rate, origins, priceList }: ApiKey): string[] {
  const filtered = Object.entries(filter ?? {})
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
    .map(([name, value]) => {
      const label = FILTERS[name] ?? name
      return value === true ? `${label} only` : `${label}: ${shown(value)}`
    })
  return [
    ...(catalogs ? [`Catalogs: ${catalogs.join(', ')}`] : []),
    ...filtered,
    ...(priceList ? [`Price list: ${priceList}`] : []),
    ...(hide.length > 0 ? [`Hides ${hide.map((field) => HIDDEN[field]).join(', ')}`] : []),
    ...(rate?.perSecond ? [`${rate.perSecond} requests/s`] : []),
    ...(rate?.perAddress ? [`${rate.perAddress} requests/s per IP`] : []),
    ...(origins ? [`Origins: ${origins.join(', ')}`] : []),
  ]
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value
    .map((one) => (typeof one === 'string' ? one : Object.values(one).join(' ')))
    .join(', ')
}
