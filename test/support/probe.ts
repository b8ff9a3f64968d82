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

/** Adds two operations to the service, `GET /api/probe` and `GET /api/probe/outside`. */
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
  readonly querystring?: string
  readonly body?: unknown
}

type Event = { readonly meta: { readonly request: { readonly params: RoundTrip } } } | null

/**
 * Observes the requests of a service to Elasticsearch while `work` runs, both sent and answered.
 */
async function watched(
  { services }: Pick<TestService, 'services'>,
  work: () => Promise<unknown>,
  on: Readonly<Partial<Record<'request' | 'response', (request: RoundTrip) => void>>>,
): Promise<void> {
  const { diagnostic } = services.elastic.client
  const listeners = Object.entries(on).map(([name, tell]) => {
    const listener = (_: unknown, event: Event) => event && tell(event.meta.request.params)
    return [name as 'request', listener as never] as const
  })
  for (const [name, listener] of listeners) diagnostic.on(name, listener)
  try {
    await work()
  } finally {
    for (const [name, listener] of listeners) diagnostic.off(name, listener)
  }
}

/** Requests that reach Elasticsearch while `work` runs. */
export async function requestsSent(
  service: Pick<TestService, 'services'>,
  work: () => Promise<unknown>,
): Promise<RoundTrip[]> {
  const sent: RoundTrip[] = []
  await watched(service, work, { request: (request) => sent.push(request) })
  return sent
}

/**
 * Counts the requests that reach Elasticsearch while `work` runs and are `wanted`. Without `wanted`
 * the service must be idle, since its background requests count as well.
 */
export async function roundTrips(
  service: TestService,
  work: () => Promise<unknown>,
  wanted: (request: RoundTrip) => boolean = () => true,
): Promise<number> {
  await service.services.background.settled()
  return (await requestsSent(service, work)).filter(wanted).length
}

/** The highest number of `wanted` requests in Elasticsearch at once while `work` runs. */
export async function mostUnderWay(
  service: TestService,
  work: () => Promise<unknown>,
  wanted: (request: RoundTrip) => boolean,
): Promise<number> {
  let underWay = 0
  let most = 0
  await watched(service, work, {
    request: (request) => {
      if (wanted(request)) most = Math.max(most, ++underWay)
    },
    response: (request) => {
      if (wanted(request)) underWay--
    },
  })
  return most
}
