import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createLog } from '../../src/platform/log.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { importFile } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

type Line = Record<string, unknown>

const lines: Line[] = []
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })

let service: TestService
let org: TestOrganization
let operator: Call
let catalog: string

interface AlertFile {
  readonly groups: readonly { readonly rules: readonly Alert[] }[]
}

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** The metrics that an expression names, without functions, labels and durations. */
const metricsOf = (expression: string): string[] =>
  expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)/g, ' ')
    .match(/\b[a-z_]\w*\b(?!\s*\()/g) ?? []

/** The metric of a series: a histogram has several, with these endings. */
const metricOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, '')

beforeAll(async () => {
  service = await startService({ log, slowSearchMs: 0.001 })
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, [
    { id: 'drill', name: 'Cordless drill' },
    { id: 'bits', name: 'Drill bits' },
  ])
  operator = caller(service, { key: OPERATOR_KEY })
})

/** The value of a metric series; 0 if it does not exist. */
async function metric(series: string): Promise<number> {
  const { body } = await operator('GET /metrics')
  const line = (body as string).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

const search = (body: unknown) => org.call(`POST /api/search?catalog=${catalog}`, { body })

describe('/metrics', () => {
  test('counts requests by operation, revision and status', async () => {
    const searches = (status: number) =>
      metric(
        `aisle_http_request_duration_seconds_count{operation="Search",revision="6.0",status="${status}"}`,
      )
    const before = [await searches(200), await searches(400)]
    await search({ keywords: 'drill' })
    await search({ keywords: 'drill' })
    await search({ pageSize: 'many' })
    expect([await searches(200), await searches(400)]).toEqual([before[0]! + 2, before[1]! + 1])
  })

  test('reports on Elasticsearch, tasks, imports, callbacks and the process', async () => {
    const asked = 'aisle_elasticsearch_request_duration_seconds_count{api="_search",status="200"}'
    const before = await metric(asked)
    await search({ keywords: 'drill' })
    expect(await metric(asked)).toBeGreaterThan(before)
    const charged = await metric('aisle_searches_charged_total')
    await search({})
    expect(await metric('aisle_searches_charged_total')).toBe(charged + 1)
    const { body, headers } = await operator('GET /metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    for (const name of [
      'aisle_requests_in_flight',
      'aisle_requests_waiting',
      'aisle_tasks_running',
      'aisle_cache_lookups_total',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(body, name).toMatch(new RegExp(`^${name}[ {]`, 'm'))
    }
  })

  test('is in the text format, and has all that the dashboard shows', async () => {
    const { body } = await operator('GET /metrics')
    const sample =
      /^[a-z_:][a-z0-9_:]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? (-?[0-9.e+-]+|NaN|\+Inf)$/i
    const texts = (body as string).split('\n').filter(Boolean)
    for (const text of texts) expect(text).toMatch(/^# (HELP|TYPE) \S+ /.test(text) ? /./ : sample)
    const types = new Set(texts.map((text) => /^# TYPE (\S+)/.exec(text)?.[1]))
    const dashboard = await readFile('monitoring/grafana/dashboards/aisle.json', 'utf8')
    const shown = dashboard.match(/\b(aisle|nodejs|process)_[a-z0-9_]+/g)!
    for (const name of shown) expect(types).toContain(metricOf(name))
  })

  test('has every metric that an alert uses', async () => {
    const { body } = await operator('GET /metrics')
    const types = new Set((body as string).match(/(?<=^# TYPE )\S+/gm))
    const text = await readFile('monitoring/alerts.yml', 'utf8')
    const { groups } = parse(text, { strict: true, uniqueKeys: true }) as AlertFile
    const alerts = groups.flatMap(({ rules }) => rules)
    expect(alerts.length).toBeGreaterThan(0)
    for (const { alert, expr, labels, annotations } of alerts) {
      expect(labels.severity, alert).toMatch(/^(critical|warning)$/)
      expect(Object.keys(annotations), alert).toEqual(['summary', 'description'])
      const metrics = metricsOf(expr).map(metricOf)
      expect(metrics.length, alert).toBeGreaterThan(0)
      // What Prometheus itself says of each instance.
      for (const name of metrics) if (name !== 'up') expect(types, alert).toContain(name)
    }
  })

  test('counts each row of an import once', async () => {
    const rows = async () =>
      Promise.all(
        ['created', 'updated', 'unchanged', 'rejected'].map((result) =>
          metric(`aisle_import_rows_total{result="${result}"}`),
        ),
      )
    const before = await rows()
    const text = '{"id":"a","name":"A"}\n{"id":"b","name":"B"}\nnonsense\n'
    await importFile(org.call, text, { targetCatalog: catalog, name: 'p.jsonl' })
    const added = (await rows()).map((count, at) => count - before[at]!)
    expect(added).toEqual([2, 0, 0, 1])
    const slow = lines.filter(
      ({ msg, operation }) => msg === 'slow search' && operation === 'import',
    )
    expect(slow.map(({ organization }) => organization)).toContain(org.id)
  })

  test('has no label whose values tenants can multiply', async () => {
    await search({ keywords: 'unheard-of' })
    for (const line of ['GET /api/unheard-of', 'PATCH /unheard-of', 'GET /api/tasks/unheard-of']) {
      await org.call(line, { version: '6.0-unheard-of' })
      await org.call(line)
    }
    const key = await org.key('viewer')
    await expectOk(caller(service, { key, organization: org.id })('GET /api/Catalog'))
    const { body } = await operator('GET /metrics')
    for (const text of [org.id, catalog, 'unheard-of', key]) expect(body).not.toContain(text)
    const labels = new Set((body as string).match(/(?<=[{,])[a-z_]+(?==")/g))
    const own = ['api', 'kind', 'le', 'operation', 'result', 'revision', 'status']
    const ofProcess = ['major', 'minor', 'patch', 'quantile', 'space', 'type', 'version']
    expect([...labels].filter((name) => ![...own, ...ofProcess].includes(name))).toEqual([])
  })

  test('is only for operators', async () => {
    expect((await org.call('GET /metrics')).status).toBe(403)
    expect((await caller(service)('GET /metrics')).status).toBe(401)
  })
})

describe('the log', () => {
  const requestLine = (id: string | null) =>
    lines.find((line) => line.requestId === id && line.msg === 'request')

  test('has a line for each request: who, what, how long, how many hits', async () => {
    const { headers } = await search({ keywords: 'drill' })
    expect(requestLine(headers.get('x-request-id'))).toMatchObject({
      ...{ operation: 'Search', revision: '6.0', status: 200, organization: org.id, hits: 2 },
      ...{ keyId: expect.any(String), ms: expect.any(Number) },
      ...{ elasticsearchRequests: expect.any(Number), elasticsearchMs: expect.any(Number) },
    })
    const refused = await search({ pageSize: 'many' })
    expect(requestLine(refused.headers.get('x-request-id'))).toMatchObject({ status: 400 })
    const unknown = await org.call('POST /api/search', { key: 'no-such-key-at-all-anywhere' })
    const line = requestLine(unknown.headers.get('x-request-id'))
    expect(line).toMatchObject({ operation: 'Search', status: 401 })
    expect(line).not.toHaveProperty('organization')
  })

  test('has no error if a client disconnects', async () => {
    const key = await org.key('viewer')
    const { status, headers } = await service.fetch(
      new Request(`http://localhost/api/search/quicksearch?catalog=${catalog}&search=dri`, {
        headers: { authorization: `Bearer ${key}`, 'x-api-version': '6.0' },
        signal: AbortSignal.abort(new Error('aborted')),
      }),
    )
    expect(status).toBe(400)
    const id = headers.get('x-request-id')
    const told = lines.filter(({ requestId, level }) => requestId === id && level === 50)
    expect(told).toEqual([])
  })

  test('shows a slow search with its body and its tenant, without credentials', async () => {
    await search({ keywords: 'cordless' })
    // Upkeep of the service searches, too, for no operation.
    const slow = lines.find(
      ({ msg, name, operation }) =>
        msg === 'slow search' &&
        operation === 'Search' &&
        /-products.*\/_search of /.test(name as string),
    )
    expect(slow).toMatchObject({ organization: org.id })
    expect(JSON.parse(slow!.body as string)).toHaveProperty('query')
    const key = await org.key('viewer', 'search')
    await caller(service, { key })(`POST /api/search?catalog=${catalog}`, { body: {} })
    expect(lines.map((line) => JSON.stringify(line)).join('')).not.toContain(key)
  })
})
