import type { Hono } from 'hono'
import { MethodNotAllowed, NotFound, Unauthenticated } from '../errors.ts'
import type { Services } from '../operation.ts'
import { isPreflight, openCors, preflightAnswer } from './cors.ts'
import { failureResponse } from './failure.ts'
import type { MountOptions } from './mount.ts'
import { senderOf } from './request-turns.ts'
import { namesNoRevision, revisionOf, revisionOfPath } from './revision.ts'
import { matcher, methodsOf, type Route, withRevisions } from './routes.ts'
import { urlPath } from './url-path.ts'

/**
 * Answers requests that match no operation: preflights, other methods (405 with Allow), other paths
 * (404).
 */
export function fallback(
  app: Hono,
  routes: readonly Route[],
  { log, keys, takeTurn }: Pick<MountOptions, 'keys' | 'takeTurn'> & Pick<Services, 'log'>,
) {
  const match = matcher(routes)

  app.notFound(async (c) => {
    await takeTurn(senderOf(c))
    const request = c.req.raw
    if (isPreflight(request)) {
      // A preflight does not name the revision of the request to come.
      const answer = preflightAnswer(request, withRevisions(urlPath(request.url)).flatMap(match))
      if (answer) return answer
    }
    // Requires a version, whatever the key's default is, since another revision may have the path.
    const isAssumed = revisionOfPath(c.req.path) !== undefined && namesNoRevision(request.headers)
    if (isAssumed) revisionOf(request.headers)
    const methods = new Set(match(c.req.path).flatMap(methodsOf))
    if (methods.size > 0) throw new MethodNotAllowed([...methods].sort())
    if (c.req.path.startsWith('/unversioned/api/')) {
      if (keys.isMisaddressed(request)) throw new Unauthenticated(keys.notAddressed)
      revisionOf(request.headers)
    }
    throw new NotFound('Path')
  })

  app.onError((error, c) => {
    // An operation's failure is answered and logged where the operation is mounted.
    if (c.get('cors')) return c.body(null, 500)
    const revision = revisionOfPath(c.req.path)
    const cors = isPreflight(c.req.raw) ? {} : openCors(c.req.header('origin'))
    return failureResponse(error, { log, revision, requestId: crypto.randomUUID() }, cors)
  })
}
