import { describe, expect, test } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { newSecret } from '../../src/keys/key-text.ts'
import type { Services } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import { type Call, caller, expectOk } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { freshInstances } from '../support/fresh-instances.ts'
import { withProbes } from '../support/probe.ts'

const calls = (service: Service, key: string): Call => caller(withProbes(service), { key })
const keysOf = async (call: Call) => (await expectOk(call('GET /api/KeyAuth/keys'))).body.keys

describe('without BOOTSTRAP_API_KEY', () => {
  test('the first start creates an operator key, later ones do not', async () => {
    const [first, later] = (await freshInstances(2)) as [Service, Service]
    const key = await bootstrapOperator(first.services, undefined)
    expect(key).toMatch(/^aisle_full_/)
    expect(await bootstrapOperator(later.services, undefined)).toBe(undefined)
    const listed = await keysOf(calls(later, key!))
    expect(listed).toMatchObject([{ username: 'operator', keyType: 'full', enabled: true }])
  })

  test('of eight concurrent starts, one creates it', async () => {
    const services = await freshInstances(8)
    const keys = await Promise.all(
      services.map(({ services }) => bootstrapOperator(services, undefined)),
    )
    const made = keys.filter((key) => key !== undefined)
    expect(made).toHaveLength(1)
    expect(await keysOf(calls(services[0]!, made[0]!))).toHaveLength(1)
  })

  test('the key is returned even if every first answer of Elasticsearch is lost', async () => {
    const [service] = (await freshInstances(1)) as [Service]
    const { services } = service
    const proxy = await startFaultProxy(services.elastic.settings.node)
    const elastic = createElastic({ ...services.elastic.settings, node: proxy.node })
    const lost = new Set<string>()
    proxy.set('dropAnswer', (line) => {
      if (!line.startsWith('PUT ') || lost.has(line)) return false
      lost.add(line)
      return true
    })
    const key = await bootstrapOperator({ ...services, elastic }, undefined)
    expect(lost.size).toBe(2)
    expect(await keysOf(calls(service, key!))).toHaveLength(1)
    await proxy.close()
  })

  test('no key is created if a configured one was in use before', async () => {
    const [service] = (await freshInstances(1)) as [Service]
    await bootstrapOperator(service.services, 'x'.repeat(32))
    expect(await bootstrapOperator(service.services, undefined)).toBe(undefined)
  })
})

describe('with BOOTSTRAP_API_KEY', () => {
  test('any text of 32 to 256 characters is an operator key, on every start', async () => {
    const instances = await freshInstances(2)
    const texts = [
      'k'.repeat(32),
      'k'.repeat(256),
      '!"#$%&()*+,-./:;<=>?@[]^_`{|}~Zz09',
      newSecret('full'),
    ]
    for (const [n, text] of texts.entries()) {
      const starts = [...instances, ...instances].map(({ services }) =>
        bootstrapOperator(services, text),
      )
      expect(await Promise.all(starts)).toEqual(starts.map(() => undefined))
      expect(await keysOf(calls(instances[0]!, text))).toHaveLength(n + 1)
    }
  })

  test('another key works beside the first; a disabled one stays disabled', async () => {
    const [service] = (await freshInstances(1)) as [Service]
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string]
    await bootstrapOperator(service.services, first)
    const [{ id }] = await keysOf(calls(service, first))
    await bootstrapOperator(service.services, second)
    await expectOk(calls(service, second)(`DELETE /api/KeyAuth/keys/${id}`))
    await bootstrapOperator(service.services, first)
    expect((await calls(service, first)('GET /api/KeyAuth/keys')).status).toBe(401)
  })

  test.each([
    'short',
    'x'.repeat(257),
    `${'x'.repeat(20)} ${'x'.repeat(20)}`,
    'ü'.repeat(40),
    `${'x'.repeat(40)}\n`,
    `${newSecret('full').slice(0, -1)}x`,
  ])('%j is refused with one sentence', async (key) => {
    const nothing = {} as Services
    await expect(bootstrapOperator(nothing, key)).rejects.toThrow(/^BOOTSTRAP_API_KEY /)
  })
})

test('an operator needs no x-organization while there is only one organization', async () => {
  const [service] = (await freshInstances(1)) as [Service]
  const key = await bootstrapOperator(service.services, undefined)
  const call = calls(service, key!)
  const asked = () => call('GET /api/organizations/current')
  expect((await asked()).status).toBe(400)
  await expectOk(call('POST /api/organizations', { body: { id: 'one', name: 'One' } }))
  expect((await expectOk(asked())).body.id).toBe('one')
  expect((await call('GET /api/probe/outside')).body.organization).toBe(null)
  await expectOk(call('POST /api/organizations', { body: { id: 'two', name: 'Two' } }))
  expect((await asked()).status).toBe(400)
})
