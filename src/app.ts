import { Hono } from 'hono'
import { MethodNotAllowed, NotFound } from './errors.ts'
import { mayPreflight, preflightHeaders } from './http/cors.ts'
import { failureAnswer } from './http/failure.ts'
import { mount } from './http/mount.ts'
import { mediaType, prefixed, revisionHeaders, revisionOf } from './http/revision.ts'
import { matcher, routesOf } from './http/routes.ts'
import type { Authenticate, Operation, Services } from './operation.ts'

export interface AppOptions {
  readonly services: Services
  readonly operations: readonly Operation[]
  readonly authenticate: Authenticate
  /** Compare every answer with its declared schema; for tests. */
  readonly checkAnswers?: boolean
}

/** The whole HTTP service: the operation table, then what no operation answers. */
export function createApp({
  services,
  operations,
  authenticate,
  checkAnswers = false,
}: AppOptions) {
  const routes = routesOf(operations)
  const versionless = matcher(routes.filter(({ revision }) => revision === 'any'))
  const versioned = matcher(routes)
  const app = new Hono({
    getPath: (request) => prefixed(request, (path) => versionless(path).length > 0),
  })
  for (const route of routes) mount(app, route, { services, authenticate, checkAnswers })

  app.notFound((c) => {
    const { method, headers } = c.req.raw
    const matches = versioned(c.req.path)
    const allowed = [...new Set(matches.map((route) => route.method as string))].sort()
    const origin = headers.get('origin')
    if (method === 'OPTIONS' && origin && headers.has('access-control-request-method')) {
      const open = [...versioned(c.req.path.replace('/unversioned/', '/6.0/'))].filter((route) =>
        mayPreflight(route.operation),
      )
      if (open.length > 0) {
        return c.body(
          null,
          204,
          preflightHeaders(
            origin,
            open.map((route) => route.method),
          ),
        )
      }
    }
    if (allowed.length > 0) throw new MethodNotAllowed(allowed)
    if (c.req.path.startsWith('/unversioned/api/')) revisionOf(headers)
    throw new NotFound('Path')
  })
  app.onError((error, c) => {
    const answer = failureAnswer(error, 'action')
    if (answer.status >= 500) services.log.error({ err: error }, 'request failed')
    return c.body(JSON.stringify(answer.body), answer.status, {
      'content-type': mediaType(undefined),
      ...revisionHeaders(undefined),
      ...answer.headers,
    })
  })
  return app
}
