import {
  getOrganizationDetails,
  removeUserFromOrganization,
  saveUserToOrganization,
} from 'aisle-client'
import { useCallback, useState } from 'preact/hooks'
import { useConsole } from '../console.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Field, valuesOf } from '../parts/field.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import type { User } from '../types.ts'

const ROLES = {
  viewer: 'Viewer',
  editor: 'Editor',
  administrator: 'Administrator',
}

type Role = keyof typeof ROLES

const roles = Object.entries(ROLES).map(([role, label]) => (
  <option key={role} value={role}>
    {label}
  </option>
))

/** The users of the organization and their roles. */
export function UsersPage() {
  const { connection } = useConsole()
  const [going, setGoing] = useState<string>()
  const load = useCallback(
    (signal: AbortSignal) => getOrganizationDetails(connection, {}, { signal }),
    [connection],
  )
  const loaded = useLoaded(load)
  return (
    <Page
      title="Users"
      lead="People in this organization. A full API key has the permissions of its user."
    >
      <Shown of={loaded}>
        {({ users }) =>
          users.length === 0 ? (
            <p>No users yet.</p>
          ) : (
            <Table label="Users" heads={['User', 'Name', 'Role', 'Actions']}>
              {users.map((user) => (
                <Row
                  key={`${user.username} ${user.role}`}
                  user={user}
                  reload={loaded.reload}
                  onRemove={() => setGoing(user.username)}
                />
              ))}
            </Table>
          )
        }
      </Shown>
      <AddUser reload={loaded.reload} />
      {going !== undefined && (
        <Confirm
          title={`Remove ${going}`}
          verb="Remove user"
          onClose={() => setGoing(undefined)}
          work={async () => {
            await removeUserFromOrganization(connection, { uname: going })
            await loaded.reload()
          }}
        >
          <p>
            The user’s API keys stop working immediately, and extensions installed only for this
            user are removed.
          </p>
        </Confirm>
      )}
    </Page>
  )
}

interface RowProps {
  readonly user: User
  reload(): Promise<void>
  onRemove(): void
}

function Row({ user: { username, role, firstName, lastName }, reload, onRemove }: RowProps) {
  const { connection } = useConsole()
  const action = useAction()
  const change = (role: Role) =>
    action.run(async () => {
      await saveUserToOrganization(connection, { uname: username, role })
      await reload()
      return undefined
    })
  return (
    <tr>
      <th scope="row">
        {username}
        <ActionStatus action={action} />
      </th>
      <td>{[firstName, lastName].filter(Boolean).join(' ')}</td>
      <td class="cell">
        <select
          aria-label={`Role of ${username}`}
          value={role}
          disabled={action.busy}
          onChange={({ currentTarget }) => change(currentTarget.value as Role)}
        >
          {roles}
        </select>
      </td>
      <td>
        <button type="button" class="button" aria-label={`Remove ${username}`} onClick={onRemove}>
          Remove
        </button>
      </td>
    </tr>
  )
}

const NAMES = [
  ['username', 'Username or email', true],
  ['firstName', 'First name', false],
  ['lastName', 'Last name', false],
] as const

function AddUser({ reload }: { reload(): Promise<void> }) {
  const { connection } = useConsole()
  const action = useAction()
  const add = (form: HTMLFormElement) =>
    action.run(async () => {
      const value = valuesOf(form)
      await saveUserToOrganization(connection, {
        uname: value('username'),
        role: value('role') as Role,
        firstName: value('firstName') || null,
        lastName: value('lastName') || null,
      })
      form.reset()
      await reload()
      return 'User added. Create a key for them under API keys.'
    })
  return (
    <section class="step" aria-labelledby="add">
      <h2 id="add">Add user</h2>
      <form
        class="row-form"
        onSubmit={(event) => {
          event.preventDefault()
          void add(event.currentTarget)
        }}
      >
        {NAMES.map(([name, label, required]) => (
          <Field key={name} label={label} problem={action.at(name === 'username' ? 'uname' : name)}>
            {(input) => (
              <input
                {...input}
                name={name}
                required={required}
                maxLength={200}
                autoComplete="off"
              />
            )}
          </Field>
        ))}
        <Field
          label="Role"
          hint="Viewers search. Editors also change and import products. Administrators also manage catalogs, users and keys."
          problem={action.at('role')}
        >
          {(input) => (
            <select {...input} name="role">
              {roles}
            </select>
          )}
        </Field>
        <button type="submit" class="button is-main" disabled={action.busy}>
          Add user
        </button>
        <ActionStatus action={action} fields={['uname', 'role', 'firstName', 'lastName']} />
      </form>
    </section>
  )
}
