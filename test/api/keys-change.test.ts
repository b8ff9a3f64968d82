import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateSecret, signingSecrets } from '../../src/callbacks/secret.ts'
import { findRegistered, registeredIn, secretPlace } from '../../src/extensions/registered.ts'
import type { Context, Services } from '../../src/operation.ts'
import { createBackground } from '../../src/platform/background.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { createSecrets, newEncryptionKey, SecretUnreadable } from '../../src/platform/secrets.ts'
import { newOrganization } from '../support/client.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let remote: TestRemote
beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote({ id: 'oakvale', kind: 'realtime', name: 'Oakvale', calls: ['run'] })
  remote.answers((response) => json(response, { items: [] }))
})
afterAll(() => remote.close())

/** The same service with other keys. */
const withKeys = (...keys: string[]): Services => ({
  ...service.services,
  secrets: createSecrets(keys.join(',')),
  background: createBackground(service.services.log),
})
const signal = AbortSignal.timeout(60_000)

describe('after a change of ENCRYPTION_KEY', () => {
  test('the secret of an extension is sealed by the new one when it is used', async () => {
    const { id: organization, call } = await newOrganization(service)
    const body = { manifestUrl: `${remote.url}/manifest.json` }
    const { secret } = (await call('POST /api/extensions/available', { body })).body
    const [old, current] = [newEncryptionKey(), newEncryptionKey()]
    const place = secretPlace(organization, 'oakvale')
    const registered = registeredIn(service.services, organization)
    const found = (await registered.get('oakvale'))!
    const sealed = withKeys(old).secrets.seal(secret, place)
    const registration = { ...found.source.registration, secret: sealed }
    await registered.replace('oakvale', { ...found.source, registration }, found)

    const both = withKeys(current, old)
    const extension = (await findRegistered(both, {
      homes: [organization],
      id: 'oakvale',
      signal,
    }))!
    const installed = { id: 'i', organization, vendor: null, catalog: null, name: '', fields: {} }
    const request = { additionalFields: {}, products: [], workspace: null }
    await extension.run({ ctx: { ...both, signal } as Context, installed, request } as never)
    await both.background.settled()
    const now = (await registered.get('oakvale'))!.source.registration.secret
    expect(withKeys(current).secrets.open(now, place)).toBe(secret)
  })

  test('a new secret signs callbacks, though the one before it can no longer be read', async () => {
    const { id } = await newOrganization(service)
    const rotate = (services: Services) =>
      rotateSecret({ ...services, organization: { id }, signal } as Context)
    const lost = withKeys(newEncryptionKey())
    await rotate(lost)
    const services = withKeys(newEncryptionKey())
    await expect(signingSecrets(services, id)).rejects.toThrow(SecretUnreadable)
    const secret = await rotate(services)
    expect(await signingSecrets(services, id)).toEqual([secret])
  })
})
