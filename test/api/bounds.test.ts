import { beforeAll, describe, expect, test } from 'vitest'
import { bulk } from '../../src/elastic/bulk.ts'
import { limits } from '../../src/limits.ts'
import { organizationsOf } from '../../src/organizations/store.ts'
import { type Call, caller, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let operators: Call[]
beforeAll(async () => {
  service = await startService()
  operators = [service, await startService()].map((one) => caller(one, { key: OPERATOR_KEY }))
})

const statusesOf = async (asked: Promise<{ status: number }>[]) =>
  (await Promise.all(asked)).map(({ status }) => status)

describe('requests at the same time on two instances', () => {
  test('give a user no more keys than there may be', async () => {
    const { id, call } = await newOrganization(service)
    const generate = (n: number) =>
      operators[n % 2]!('POST /api/KeyAuth/keys', {
        organization: id,
        body: { username: 'viewer' },
      })
    const many = (count: number) => Array.from({ length: count }, (_, n) => generate(n))
    for (let made = 0; made < limits.keysPerUser - 5; made += 19) {
      expect(new Set(await statusesOf(many(19)))).toEqual(new Set([200]))
    }
    const statuses = await statusesOf(many(24))
    const made = statuses.filter((status) => status === 200).length
    expect(made).toBeLessThanOrEqual(5)
    expect(statuses.filter((status) => status === 400)).toHaveLength(24 - made)
    const live = async () =>
      (await call('GET /api/KeyAuth/keys')).body.keys.filter(
        ({ username }: { username: string }) => username === 'viewer',
      ).length
    expect(await live()).toBe(limits.keysPerUser - 5 + made)
    for (let left = 5 - made; left > 0; left--) expect((await generate(left)).status).toBe(200)
    const { status, body } = await generate(0)
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^viewer has 100 keys here/),
    ])
    expect(await live()).toBe(limits.keysPerUser)
  })

  test('give an organization no more children than there may be', async () => {
    const { id } = await newOrganization(service)
    await seedChildren(id, limits.childOrganizations - 3)
    const create = (n: number) =>
      operators[n % 2]!('POST /api/organizations', { body: { name: `c${n}`, parent: id } })
    const statuses = await statusesOf(Array.from({ length: 16 }, (_, n) => create(n)))
    const made = statuses.filter((status) => status === 200).length
    expect(made).toBeLessThanOrEqual(3)
    expect(statuses.filter((status) => status === 400)).toHaveLength(16 - made)
    for (let left = 3 - made; left > 0; left--) expect((await create(left)).status).toBe(200)
    const { status, body } = await create(99)
    expect([status, body.message]).toEqual([400, 'parent: has 200 children, the most there can be'])
  })
})

/** Straight into the index, since two hundred requests take long. */
async function seedChildren(parent: string, count: number) {
  const { elastic } = service.services
  const { place, documentId } = organizationsOf(service.services)
  const _index = elastic.indexName(place.kind)
  const items = Array.from({ length: count }, (_, n) => {
    const id = `${parent.slice(0, 40)}-c${n}`
    return {
      action: JSON.stringify({ index: { _index, _id: documentId(id) } }),
      document: JSON.stringify({ id, name: id, parent, users: [], configurations: [] }),
    }
  })
  await bulk(elastic, items, { refresh: true })
}
