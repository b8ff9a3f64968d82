import { getOrganizationDetails } from 'aisle-client'
import { useEffect, useMemo } from 'preact/hooks'
import type { Lapse } from '../shop/lapse.ts'
import { useStore } from '../shop/store.ts'
import { useConsole } from './console.ts'
import { waitBeside } from './openid/beside.ts'
import type { Grant } from './openid/tokens.ts'
import { Dialog } from './parts/dialog.tsx'
import { useAction } from './parts/use-action.tsx'
import { ChooseIssuer, EnterKey } from './sign-in.tsx'

/** Asks for a new sign-in after the session expired; nothing typed is lost, and waiting requests continue. */
export function SignedOut() {
  const { lapse } = useConsole()
  const now = useStore(lapse)
  return now ? <Again lapse={now} /> : null
}

function Again({ lapse }: { lapse: Lapse<Grant> }) {
  const { connection } = useConsole()
  const { organization } = connection
  const action = useAction()
  const enter = (grantOf: () => Promise<Grant>) =>
    action.run(async () => {
      const grant = await grantOf()
      await getOrganizationDetails({ key: grant.key, organization })
      lapse.goOn(grant)
      return undefined
    })
  const waiting = useMemo(() => waitBeside((grant) => enter(async () => grant)), [lapse])
  useEffect(() => waiting.end, [waiting])
  return (
    <Dialog title="You’ve been signed out" onClose={lapse.leave}>
      <p>
        Your key or sign-in is no longer valid. Sign in again to continue where you left off.
        Nothing you entered is lost.
      </p>
      <ChooseIssuer
        action={action}
        onIssuer={async (issuer) => {
          waiting.open(issuer)
        }}
      />
      <EnterKey action={action} onKey={(key) => enter(async () => ({ key }))} />
    </Dialog>
  )
}
