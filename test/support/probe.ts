import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { authenticateBy } from '../../src/keys/authenticate.ts'
import { operation, route } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import type { TestService } from './service.ts'

const Seen = z.object({ caller: z.unknown(), organization: z.unknown() })

const inside = operation({
  name: 'Probe inside',
  summary: 'Answers whom the service sees, in an organization.',
  access: 'viewer',
  keys: ['search', 'import'],
  bindings: { '6.0': route('GET', '/api/probe', { answer: Seen }) },
  handle: (_input: object, { caller, organization }) => ({ caller, organization }),
})

const outside = operation({
  name: 'Probe outside',
  summary: 'Answers whom the service sees, with or without an organization.',
  access: 'caller',
  bindings: { '6.0': route('GET', '/api/probe/outside', { answer: Seen }) },
  handle: (_input: object, { caller, organization }) => ({ caller, organization }),
})

/** The service with two operations more, `GET /api/probe` and `GET /api/probe/outside`. */
export function withProbes(
  service: Pick<TestService, 'services' | 'signIn'>,
): Pick<TestService, 'fetch'> {
  const { services } = service
  const app = createApp({
    services,
    operations: [...operations, inside, outside],
    authenticate: authenticateBy(service.signIn),
    checkAnswers: true,
  })
  return { fetch: async (request) => app.fetch(request) }
}

interface RoundTrip {
  readonly path: string
  readonly body?: unknown
}

/**
 * Requests that reach Elasticsearch while `work` runs, and are `wanted`. Without that the service has
 * to be one that is idle: what it does by itself counts, too.
 */
export async function roundTrips(
  { services }: TestService,
  work: () => Promise<unknown>,
  wanted: (request: RoundTrip) => boolean = () => true,
): Promise<number> {
  await services.background.settled()
  const { diagnostic } = services.elastic.client
  let count = 0
  const note = (_: unknown, event: { meta: { request: { params: RoundTrip } } } | null) => {
    if (event && wanted(event.meta.request.params)) count++
  }
  diagnostic.on('request', note as never)
  try {
    await work()
  } finally {
    diagnostic.off('request', note as never)
  }
  return count
}
