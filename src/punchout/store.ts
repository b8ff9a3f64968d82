import { all, range, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { PublicContext, Services } from '../operation.ts'
import { type Session, sealedSession } from './session.ts'

// A token does not name an organization, so sessions are found by the hash alone.
const sessions = ({ elastic }: Pick<Services, 'elastic'>): Collection<Session> =>
  collection<Session>(elastic, { kind: 'punchout', scope: [] })

export const storeSession = async (ctx: PublicContext, session: Session): Promise<void> => {
  await sessions(ctx).create(session.id, sealedSession(ctx.secrets, session), {
    signal: ctx.signal,
  })
}

export const readSession = async (ctx: PublicContext, id: string): Promise<Session | undefined> =>
  (await sessions(ctx).get(id, { signal: ctx.signal }))?.source

/** Sessions of an organization that may still be in use. */
export const countSessions = (ctx: PublicContext, organization: string): Promise<number> =>
  sessions(ctx).count(
    all([term('scope', organization), range('over', ctx.clock.now().getTime(), null)]),
    { signal: ctx.signal },
  )

const PAGE = 1_000

/** Ended sessions of all organizations. */
export async function endedSessions(services: Services): Promise<Session[]> {
  const query = range('over', null, services.clock.now().getTime())!
  return sessions(services).find({ query, size: PAGE })
}

export const removeSession = (services: Services, id: string): Promise<boolean> =>
  sessions(services).remove(id, { refresh: true })
