import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

describe('/api/status/connections', () => {
  let service: Standalone
  let call: Call
  beforeAll(async () => {
    service = await startStandalone('status')
    call = (await newOrganization(service)).call
  })
  afterAll(() => service.stop())

  const state = async () => (await call('GET /api/status/connections')).body
  const indices = () => service.services.elastic.client.indices
  const block = (index: string, name: string, value: boolean) =>
    indices().putSettings({ index, settings: { [`index.blocks.${name}`]: value } })

  test.each([
    ['read_only_allow_delete', 'elasticsearch: refuses writes, since its disk is nearly full'],
    ['write', 'elasticsearch: refuses writes'],
  ])('reports an index with the block %s', async (name, text) => {
    const index = service.services.elastic.indexName('catalogs')
    const make = (catalog: string) =>
      call('POST /api/Catalog', { body: { name: catalog, active: true } })
    await block(index, name, true)
    expect((await make('refused')).status).toBe(503)
    expect(await state()).toBe(text)
    await block(index, name, false)
    await expectOk(make(`taken-${name}`))
    expect(await state()).toMatch(/^elasticsearch: ok \(\w+\)$/)
  })

  test('ignores an index that a migration left behind', async () => {
    const index = `${service.services.elastic.indexName('catalogs')}-v0`
    await indices().create({ index, settings: { number_of_replicas: 0 } })
    await block(index, 'write', true)
    expect(await state()).toMatch(/^elasticsearch: ok/)
  })

  test('ignores missing shards of other indices', async () => {
    const index = `${inject('indexPrefix')}-others`
    const nowhere = { 'index.routing.allocation.include._name': 'nobody' }
    await indices().create({ index, settings: nowhere, wait_for_active_shards: 0 })
    const { cluster } = service.services.elastic.client
    expect((await cluster.health({ index })).status).toBe('red')
    expect(await state()).toMatch(/^elasticsearch: ok/)
    await indices().delete({ index })
  })
})

/**
 * The status of a service with such a clock, and the number of its warnings once it has stopped.
 */
async function statusWithClock(ahead: number) {
  const clock = { now: () => new Date(Date.now() + ahead) }
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const service = await startService({ clock, log })
  const request = new Request('http://localhost/api/status/connections')
  const text = await (await service.fetch(request)).text()
  await service.stop()
  const warnings = lines.filter((line) => line.includes('the clock of this machine is'))
  return { text, warned: warnings.length }
}

test.each([
  [86_400_000, /^elasticsearch: ok .*\nclock: 86(399|400) s ahead of that of Elasticsearch$/],
  [-60_000, /^elasticsearch: ok .*\nclock: (59|60) s behind that of Elasticsearch$/],
  [0, /^elasticsearch: ok [^\n]*$/],
])('a clock that is %d ms ahead is reported, with a warning at start', async (ahead, text) => {
  const expected = { text: expect.stringMatching(text), warned: ahead === 0 ? 0 : 1 }
  // A busy Elasticsearch may not return its time soon enough.
  await expect.poll(() => statusWithClock(ahead)).toEqual(expected)
})
