import { removeSessionKeys } from '../keys/store.ts'
import type { Services } from '../operation.ts'
import { deleteWorkspace } from '../workspaces/store.ts'
import { workspaceName } from './session.ts'
import { endedSessions, removeSession } from './store.ts'

const WORKSPACE_MS = 5_000

/** Removes what ended sessions left: their workspaces, their keys, then the sessions. */
export async function sweepSessions(services: Services): Promise<void> {
  for (const session of await endedSessions(services)) {
    const workspace = { id: session.workspace, name: workspaceName(session) }
    await deleteWorkspace(services, session.scope, workspace, AbortSignal.timeout(WORKSPACE_MS))
    await removeSession(services, session.id)
  }
  await removeSessionKeys(services)
}
