import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { createTracing } from '../../src/platform/opentelemetry.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startImport, taskEnded } from '../support/imports.ts'
import { startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'
import { installVendor, startVendor } from '../support/vendor.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: { key: string; value: Record<string, unknown> }[]
  readonly status: { code: number }
  readonly links?: { traceId: string; spanId: string }[]
}

let receiver: TestRemote
let service: TestService
let org: TestOrganization
let catalog: string
let tracing: ReturnType<typeof createTracing>
const sentToElasticsearch: unknown[] = []

const tracingTo = (endpoint: string) =>
  createTracing({ endpoint, serviceName: 'shop-search', ratio: 1, log: createLog('silent') })

beforeAll(async () => {
  receiver = await startRemote({})
  tracing = tracingTo(receiver.url)
  service = await startService({
    tracing,
    outbound: createOutbound({ allow: '127.0.0.1', tracing }),
  })
  service.services.elastic.client.diagnostic.on('request', (_, event) => {
    sentToElasticsearch.push(event?.meta.request.params.headers?.traceparent)
  })
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, [
    { id: 'drill', name: 'Drill', manufacturer: 'Drakesmoor', manufacturerPartNumber: 'DS18' },
  ])
})
afterAll(() => receiver.close())

const received = () =>
  receiver.received.map(({ body }) => JSON.parse(body).resourceSpans[0] as ResourceSpans)

interface ResourceSpans {
  readonly resource: { attributes: Span['attributes'] }
  readonly scopeSpans: { spans: Span[] }[]
}

/** Attributes as an object with plain values of any type. */
const factsOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const allSpans = () =>
  received().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
const spansOf = (id: string) => allSpans().filter(({ traceId }) => traceId === id)

test('a search is one trace with its calls, an extension and the caller’s trace', async () => {
  const vendor = await startVendor()
  const toldToVendor: unknown[] = []
  vendor.does((_, answer) => {
    toldToVendor.push(answer.req.headers.traceparent)
    return { items: [] }
  })
  const installation = await installVendor(org, vendor, { vendor: 'Oakvale' })
  const key = await org.key('viewer')
  const traceparent = `00-${TRACE}-${CALLER}-01`
  const call = caller(service, { key, headers: { traceparent } })
  const search = await expectOk(
    call(`POST /api/search?catalog=${catalog}`, { body: { keywords: 'drill never-in-a-span' } }),
  )
  const run = `POST /api/extensions/realtime/${installation}/run`
  await expectOk(call(run, { body: { products: [{ catalog, id: 'drill' }] } }))
  await vendor.close()
  const task = await startImport(
    (line, parts) => org.call(line, { ...parts, headers: { ...parts?.headers, traceparent } }),
    'manufacturer,manufacturerPartNumber,name\nDrakesmoor,DS19,Driver\n',
    { targetCatalog: catalog },
  )
  expect(await taskEnded(org.call, task)).toMatchObject({ status: 'completed' })
  const refused = await call(`POST /api/search?catalog=${catalog}`, {
    body: {},
    headers: { traceparent: '00-nonsense' },
  })
  expect(refused.status).toBe(200)
  await service.stop()
  await tracing.stop()

  const spans = spansOf(TRACE)
  const [searched] = spans.filter(({ name }) => name === 'Search')
  expect(searched).toMatchObject({ parentSpanId: CALLER, kind: 2 })
  expect(factsOf(searched!)).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'aisle.revision': '6.0',
    'aisle.organization': org.id,
    'aisle.request': search.headers.get('x-request-id'),
  })
  const below = spans.filter(({ parentSpanId }) => parentSpanId === searched!.spanId)
  const asked = below.find((span) => /^_m?search$/.test(span.name))!
  expect(factsOf(asked)).toMatchObject({
    'db.system.name': 'elasticsearch',
    'db.response.status_code': '200',
  })
  expect(sentToElasticsearch).toContain(`00-${TRACE}-${asked.spanId}-01`)
  const extension = spans.find(({ name }) => name === 'extension run')!
  expect(factsOf(extension)).toMatchObject({ 'aisle.extension': installation })
  expect(toldToVendor).toEqual([`00-${TRACE}-${extension.spanId}-01`])
  const queued = spans.find(({ name }) => name === 'Import Data')!
  const [ran, ...others] = allSpans().filter(({ name }) => name === 'task import')
  expect(others).toEqual([])
  expect(factsOf(ran!)).toMatchObject({
    'aisle.task': task,
    'aisle.organization': org.id,
    'aisle.outcome': 'completed',
  })
  expect(ran).toMatchObject({ links: [{ traceId: TRACE, spanId: queued.spanId }] })
  expect(spansOf(ran!.traceId)).toEqual([ran])
  const [first] = received()
  expect(factsOf(first!.resource)).toMatchObject({ 'service.name': 'shop-search' })
  const all = receiver.received.map(({ body }) => body).join('')
  for (const hidden of [key, 'never-in-a-span']) expect(all).not.toContain(hidden)
}, 20_000)

test('an operator finds a slow search, its tenant and its cause in the metrics, the log and the trace', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const tracing = tracingTo(receiver.url)
  const slow = await startService({ tracing, log, slowSearchMs: 0.001 })
  const tenant = await newOrganization(slow)
  const catalog = await seedCatalog(slow, tenant, [{ id: 'drill', name: 'Cordless drill' }])
  const operator = caller(slow, { key: OPERATOR_KEY })
  const counted = async () => {
    const { body } = await operator('GET /metrics')
    return Number(/^aisle_slow_searches_total (\d+)$/m.exec(body)![1])
  }
  const before = await counted()
  const path = `POST /api/search?catalog=${catalog}`
  const { headers } = await expectOk(tenant.call(path, { body: { keywords: 'cordless' } }))
  expect(await counted()).toBeGreaterThan(before)

  const requestId = headers.get('x-request-id')
  const all = lines.filter((line) => line.msg === 'slow search' && line.requestId === requestId)
  // What is popular is read before the first search of an organization.
  const told = all.find(({ name }) => /-products.*\/_search of /.test(name as string))!
  expect(told).toMatchObject({ operation: 'Search', organization: tenant.id })
  expect(told.body).toMatch(/"query":.*cordless/s)
  await slow.stop()
  await tracing.stop()
  const spans = spansOf(told.traceId as string)
  const searched = spans.find(({ name }) => name === 'Search')!
  expect(factsOf(searched)).toMatchObject({
    ...{ 'aisle.organization': tenant.id, 'aisle.request': requestId },
  })
  const below = spans.filter(({ parentSpanId }) => parentSpanId === searched.spanId)
  const asked = below.map((span) => [span.name, factsOf(span)['db.collection.name']])
  expect(asked).toContainEqual(['_search', expect.stringMatching(/-products/)])
})

test('a page from another site can send its trace', async () => {
  const preflight = new Request(`http://localhost/api/search?catalog=${catalog}`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  })
  const { status, headers } = await service.fetch(preflight)
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-headers')).toContain('traceparent')
})

test('an unreachable receiver of traces does not delay a stop', async () => {
  const tracing = tracingTo('http://127.0.0.1:9')
  tracing.request('Search', new Headers(), {}).end({}, false)
  const began = performance.now()
  await tracing.stop()
  expect(performance.now() - began).toBeLessThan(15_000)
})
