import { AisleError, generateAPIKey, getOrganizationDetails } from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Field, valuesOf } from '../parts/field.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import type { User } from '../types.ts'
import { BoundFields } from './bound-fields.tsx'
import { type KeyForm, keyBody } from './request.ts'

const TYPES = {
  search: 'Search: read products, for public pages',
  import: 'Import: upload and import files',
  full: 'Full: everything its user can do',
}

const FIELDS = [
  'name',
  'keyType',
  'username',
  'expires',
  'catalogs',
  'filter',
  'priceList',
  'rate',
  'origins',
  'cache',
]

/** The users of the organization; undefined while loading. */
function useUsers(): readonly User[] | undefined {
  const { connection } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => getOrganizationDetails(connection, {}, { signal }),
    [connection],
  )
  return useLoaded(load).value?.users
}

/** A hint on whose key it is: operators have no user of their own, and a new organization has no users. */
const Whose = ({ users }: { users: readonly User[] | undefined }) =>
  users?.length === 0 ? (
    <>
      Every key belongs to a user. There are no users yet:{' '}
      <a href={formatRoute({ page: 'users' })}>add one</a>.
    </>
  ) : (
    <>The user the key belongs to. Operators must choose one.</>
  )

/** Creates a key; passes its secret to `onCreated`. */
export function CreateKey({ onCreated }: { onCreated(secret: string): Promise<void> }) {
  const { connection } = useConsole()
  const users = useUsers()
  const [keyType, setKeyType] = useState<KeyForm['keyType']>('search')
  const action = useAction()
  const create = (form: HTMLFormElement) =>
    action.run(async () => {
      const value = valuesOf(form)
      const data = new FormData(form)
      const body = keyBody({
        ...{ name: value('name'), keyType, username: value('username'), expires: value('expires') },
        catalogs: data.getAll('catalogs').map(String),
        isPublic: data.has('public'),
        inStock: data.has('inStock'),
        manufacturers: value('manufacturers'),
        vendors: value('vendors'),
        category: value('category'),
        priceList: value('priceList'),
        perSecond: value('perSecond'),
        perAddress: value('perAddress'),
        origins: value('origins'),
        maxAge: value('maxAge'),
      })
      const answer = await generateAPIKey(connection, body)
      if (answer.key === null)
        throw new AisleError(400, answer.error ?? 'The key could not be created.')
      form.reset()
      await onCreated(answer.key)
      return undefined
    })
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        void create(event.currentTarget)
      }}
    >
      <div class="columns">
        <Field label="Name" hint="To recognize the key later." problem={action.at('name')}>
          {(input) => <input {...input} name="name" required maxLength={200} autoComplete="off" />}
        </Field>
        <Field label="Type" problem={action.at('keyType')}>
          {(input) => (
            <select
              {...input}
              value={keyType}
              onChange={({ currentTarget }) =>
                setKeyType(currentTarget.value as KeyForm['keyType'])
              }
            >
              {Object.entries(TYPES).map(([type, label]) => (
                <option key={type} value={type}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="User" hint={<Whose users={users} />} problem={action.at('username')}>
          {(input) => (
            <select {...input} name="username">
              <option value="">Me</option>
              {users?.map(({ username }) => (
                <option key={username}>{username}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Expires" hint="Leave empty for no expiration." problem={action.at('expires')}>
          {(input) => <input {...input} name="expires" type="datetime-local" />}
        </Field>
      </div>
      {keyType === 'search' && <BoundFields action={action} />}
      <div class="buttons save">
        <button type="submit" class="button is-main" disabled={action.busy}>
          Create key
        </button>
        <ActionStatus action={action} fields={FIELDS} />
      </div>
    </form>
  )
}
