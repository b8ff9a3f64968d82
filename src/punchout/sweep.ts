import { removeSessionKeys } from '../keys/store.ts'
import type { Services } from '../operation.ts'
import { slicesOf } from '../platform/slices.ts'
import { deleteWorkspace } from '../workspaces/store.ts'
import { type Session, workspaceName } from './session.ts'
import { endedSessions, removeSession } from './store.ts'

const WORKSPACE_MS = 5_000

/** Sessions that are removed at once, which share the refreshes of what they had. */
const AT_ONCE = 16

/** Removes what ended sessions left: their workspaces, their keys, then the sessions. */
export async function sweepSessions(services: Services): Promise<void> {
  for (const some of slicesOf(await endedSessions(services), AT_ONCE)) {
    await Promise.all(some.map((session) => sweepSession(services, session)))
  }
  await removeSessionKeys(services)
}

async function sweepSession(services: Services, session: Session): Promise<void> {
  const workspace = { id: session.workspace, name: workspaceName(session) }
  await deleteWorkspace(services, session.scope, workspace, AbortSignal.timeout(WORKSPACE_MS))
  await removeSession(services, session.id)
}
