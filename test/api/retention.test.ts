import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createElastic, type Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { runDaily } from '../../src/elastic/lease.ts'
import { checkRetention, dropOldMonths } from '../../src/elastic/retention.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { tasksOf } from '../../src/tasks/store.ts'
import { removeOldTasks } from '../../src/tasks/sweep.ts'
import { upkeepOf } from '../../src/upkeep.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { startStandalone } from '../support/standalone.ts'
import { contextOf, newKind, queueKind } from '../support/tasks.ts'

/** Separate indices, since the clock of these tests is ahead. */
const elasticOf = (prefix: string) =>
  createElastic({ node: inject('elasticsearch').node, prefix, shards: 1, replicas: 0 })

const NOW = new Date('2051-03-15T12:00:00Z')
const HOUR = 3_600_000
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR)

let elastic: Elastic
/** Another instance on the same indices. */
let other: Elastic

async function freshIndices() {
  const prefix = `${inject('indexPrefix')}-${randomBytes(3).toString('hex')}`
  elastic = elasticOf(prefix)
  other = elasticOf(prefix)
  const all = await readDefinitions('index-mappings')
  const wanted = all.filter(({ kind }) => ['changes', 'history', 'leases'].includes(kind))
  await prepareIndices(elastic, wanted)
}

const ADMIN = { requestTimeout: 30_000 }
const add = (...names: string[]) =>
  Promise.all(
    names.map((name) => elastic.client.indices.create({ index: elastic.indexName(name) }, ADMIN)),
  )

/** Monthly indices of years that no other test uses. */
async function months(): Promise<string[]> {
  const found = await elastic.client.indices.get({ index: elastic.indexName('*') }, ADMIN)
  const names = Object.keys(found).map((name) => name.slice(elastic.indexName('').length))
  return names.filter((name) => /20[45]\d/.test(name)).sort()
}

describe('dropOldMonths', () => {
  beforeEach(freshIndices)

  test('deletes indices older than the retention of their kind, and no others', async () => {
    await add('changes-2049.12', 'changes-2050.01', 'changes-2050.02', 'changes-2051.03')
    await add('history-2050.11', 'history-2050.12', 'history-2051.04', 'changes-2050.01-copy')
    await add('other-changes-2040.01')
    const retention = { months: 13, kinds: { history: 3 } }
    expect(await dropOldMonths(elastic, retention, NOW)).toBe(true)
    expect(await months()).toEqual([
      'changes-2050.01-copy',
      'changes-2050.02',
      'changes-2051.03',
      'history-2050.12',
      'history-2051.04',
      'other-changes-2040.01',
    ])
  })

  test('is done once a day by one of several instances', async () => {
    const retention = { months: 1, kinds: {} }
    await add('changes-2050.01')
    const runs = (now: Date) =>
      Promise.all([elastic, other, elastic, other].map((one) => dropOldMonths(one, retention, now)))
    expect((await runs(NOW)).filter(Boolean)).toHaveLength(1)
    expect(await months()).toEqual([])
    await add('changes-2050.02')
    expect((await runs(later(23))).filter(Boolean)).toHaveLength(0)
    expect(await months()).toEqual(['changes-2050.02'])
    expect((await runs(later(24))).filter(Boolean)).toHaveLength(1)
    expect(await months()).toEqual([])
  })
})

describe('removeOldTasks', () => {
  test('deletes tasks that ended or have asked since before the log retention, but no queued ones', async () => {
    const service = await startStandalone('old-tasks')
    onTestFinished(() => service.stop())
    const { id: own, call } = await newOrganization(service)
    const other = await newOrganization(service)
    const queue = async (organization: string) =>
      (await queueKind(contextOf(organization, service), newKind())).id
    const [ended, waiting, foreign] = [await queue(own), await queue(own), await queue(other.id)]
    const asking = await queue(own)
    const tasks = tasksOf(service.services, own)
    const found = (await tasks.get(asking))!
    await tasks.replace(asking, { ...found.source, status: 'waiting' }, found)
    const cancel = { body: { cancelled: true } }
    await expectOk(call(`PUT /api/tasks/${ended}`, cancel))
    await expectOk(other.call(`PUT /api/tasks/${foreign}`, cancel))
    const listed = async (of: Call) =>
      (await expectOk(of('GET /api/tasks'))).body.items.map(({ id }: { id: string }) => id)
    const now = new Date()
    const sweep = (months: number, ms: number, signal = new AbortController().signal) => {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1) + ms)
      const services = { ...service.services, clock: { now: () => at } }
      return removeOldTasks(services, { months: 2 }, signal)
    }
    const refresh = () =>
      service.services.elastic.client.indices.refresh({ index: '*-old-tasks-tasks-*' })
    await refresh()
    expect(await sweep(3, -1)).toBe(true)
    expect(await sweep(3, 0)).toBe(false)
    expect(await listed(call)).toHaveLength(3)
    const day = 24 * HOUR
    expect(await sweep(3, day, AbortSignal.abort())).toBe(true)
    expect(await listed(call)).toHaveLength(3)
    expect(await sweep(3, 2 * day)).toBe(true)
    await refresh()
    expect([await listed(call), await listed(other.call)]).toEqual([[waiting], []])
  })
})

describe('an instance whose clock is far ahead', () => {
  test('removes nothing', async () => {
    const service = await startStandalone('far-ahead')
    onTestFinished(() => service.stop())
    // Its own comparison of clocks would be shared.
    await service.services.background.settled()
    const { client, indexName } = service.services.elastic
    const logs = async () =>
      Object.keys(await client.indices.get({ index: indexName('changes-*') }, ADMIN))
    const before = await logs()
    const upkeepAt = (clock: Clock) =>
      upkeepOf({ ...service.services, clock }, { months: 13, kinds: {} })
    const drop = (clock: Clock) =>
      upkeepAt(clock).find(([name]) => name === 'drop old logs')![2](new AbortController().signal)
    await drop({ now: () => NOW })
    expect(await logs()).toEqual(before)
    expect(before).not.toEqual([])
    await client.indices.create({ index: indexName('changes-2020.01') }, ADMIN)
    await drop(systemClock)
    expect(await logs()).toEqual(before)
  })
})

describe('daily jobs', () => {
  beforeAll(freshIndices)
  const due = (name: string, now: Date) => ({ name, now })

  test('are retried after their lease if they failed', async () => {
    const fail = () => Promise.reject(new Error('no'))
    await expect(runDaily(elastic, due('a', NOW), fail)).rejects.toThrow('no')
    const work = () => Promise.resolve()
    expect(await runDaily(other, due('a', later(0.1)), work)).toBe(false)
    expect(await runDaily(other, due('a', later(1)), work)).toBe(true)
    expect(await runDaily(elastic, due('a', later(2)), work)).toBe(false)
  })

  test('run once if two instances start them at the same time', async () => {
    let runs = 0
    const work = async () => {
      runs++
    }
    const all = Array.from({ length: 8 }, (_, n) => (n % 2 ? elastic : other))
    await Promise.all(all.map((one) => runDaily(one, due('b', NOW), work)))
    expect(runs).toBe(1)
  })
})

describe('RETENTION_MONTHS', () => {
  test('applies only to logs', async () => {
    const definitions = await readDefinitions('index-mappings')
    const check = (kinds: Record<string, number>) => () =>
      checkRetention({ months: 13, kinds }, definitions)
    expect(check({ history: 3, changes: 24, insights: 36 })).not.toThrow()
    expect(check({ products: 1 })).toThrow(/unknown log products; known: audit, changes, .*history/)
  })
})
