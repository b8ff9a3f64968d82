import { type Connection, getOrganizations } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useConsole } from './console.ts'
import { Dialog } from './parts/dialog.tsx'
import { Shown, useLoaded } from './parts/use-loaded.tsx'
import { forgetSigned, keepSigned, keptSigned } from './session.ts'
import { ChooseOrganization } from './sign-in.tsx'

/** Removes the organization, to list all those that the key can access. */
const outside = (connection: Connection) => ({ ...connection, organization: undefined })

/** Switches to another organization of the key, or signs out. */
export function OrganizationDialog({ onClose }: { onClose(): void }) {
  const { connection, organization } = useConsole()
  const load = useCallback(
    (signal: AbortSignal) => getOrganizations(outside(connection), {}, { signal }),
    [connection],
  )
  const loaded = useLoaded(load)
  const enter = (id: string) => {
    keepSigned({ ...keptSigned(), key: connection.key, organization: id })
    location.assign('console')
  }
  return (
    <Dialog title={organization.name} onClose={onClose}>
      <p>You’re signed in on this tab only, until you close it.</p>
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            forgetSigned()
            location.assign('console')
          }}
        >
          Sign out
        </button>
      </p>
      <Shown of={loaded}>
        {({ organizations }) => (
          <ChooseOrganization
            reached={{
              connection: outside(connection),
              organizations: organizations.filter(({ id }) => id !== organization.id),
            }}
            onChosen={enter}
          />
        )}
      </Shown>
    </Dialog>
  )
}
