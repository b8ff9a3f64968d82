import { beforeAll, describe, expect, test } from 'vitest'
import { caller, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { makeOlder } from '../support/older-key.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let other: TestService
let time = new Date('2026-03-01T10:00:00.000Z')
beforeAll(async () => {
  const clock = { now: () => time }
  service = await startService({ clock })
  other = await startService({ clock })
})

describe.each(['1.0', '6.0'])('lastUsed of a key (%s)', (version) => {
  test('is the time of its last use on any instance, to the minute', async () => {
    const { id, key } = await newOrganization(service)
    const secret = await key('viewer')
    const operator = caller(service, { key: OPERATOR_KEY, organization: id, version })
    const lastUsed = async () =>
      (await operator('GET /api/KeyAuth/keys')).body.keys.find(
        ({ username }: { username: string }) => username === 'viewer',
      ).lastUsed
    expect(await lastUsed()).toBeNull()
    const started = time.getTime()
    for (const [minutes, instance, expected] of [
      [0, service, 0],
      [0.5, other, 0],
      [1, other, 1],
      [1.5, service, 1],
      [9, service, 9],
    ] as const) {
      time = new Date(started + minutes * 60_000)
      const call = caller(instance, { key: secret, version })
      expect((await call('GET /api/organizations/current')).status).toBe(200)
      await instance.services.background.settled()
      expect(await lastUsed()).toBe(new Date(started + expected * 60_000).toISOString())
    }
    time = new Date(started + 600_000)
    const refused = caller(service, { key: `${secret.slice(0, -1)}x`, version })
    expect((await refused('GET /api/organizations/current')).status).toBe(401)
  })
})

describe('a request without a version', () => {
  const search = (key: string | null, line = 'GET /api/organizations/current') =>
    caller(service, { key, version: null })(line)

  test('gets 6.0 with a new key', async () => {
    const { key } = await newOrganization(service)
    const answer = await search(await key('viewer'))
    expect([answer.status, answer.headers.get('x-api-version')]).toEqual([200, '6.0'])
    const only10 = await search(await key('viewer'), 'GET /api/Catalog/tools/D-100')
    expect([only10.status, only10.body.message]).toEqual([
      400,
      expect.stringContaining('x-api-version'),
    ])
  })

  test('is refused with a key created before there was a default, and without a key', async () => {
    const { id, key } = await newOrganization(service)
    const older = await key('viewer')
    await makeOlder(service, older)
    for (const secret of [older, null]) {
      const refused = await search(secret)
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringContaining('x-api-version'),
      ])
    }
    const operator = caller(service, { key: OPERATOR_KEY, organization: id })
    const { keys } = (await operator('GET /api/KeyAuth/keys')).body
    const versions = keys.map((one: { username: string; defaultVersion: string | null }) => [
      one.username,
      one.defaultVersion,
    ])
    expect(Object.fromEntries(versions)).toMatchObject({ viewer: null, administrator: '6.0' })
  })
})
