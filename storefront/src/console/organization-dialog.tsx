import { getOrganizations } from 'aisle-client'
import { useCallback } from 'preact/hooks'
import { useConsole } from './console.ts'
import { Dialog } from './parts/dialog.tsx'
import { Shown, useLoaded } from './parts/use-loaded.tsx'
import { forgetSigned, keepSigned } from './session.ts'
import { ChooseOrganization } from './sign-in.tsx'

/** Goes to another organization of the key, or signs out. */
export function OrganizationDialog({ onClose }: { onClose(): void }) {
  const { connection, organization } = useConsole()
  const { key } = connection
  const load = useCallback(
    (signal: AbortSignal) => getOrganizations({ key }, {}, { signal }),
    [key],
  )
  const loaded = useLoaded(load)
  const enter = (id: string) => {
    keepSigned({ key, organization: id })
    location.assign('console')
  }
  return (
    <Dialog title={organization.name} onClose={onClose}>
      <p>You are signed in with the key of this tab. It is forgotten when the tab is closed.</p>
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
              key,
              organizations: organizations.filter(({ id }) => id !== organization.id),
            }}
            onChosen={enter}
          />
        )}
      </Shown>
    </Dialog>
  )
}
