import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rotateSecret, signingSecrets } from '../../src/callbacks/signing-secrets.ts'
import { field } from '../../src/extensions/fields.ts'
import { openValues } from '../../src/extensions/open-values.ts'
import { registrationsOf, secretContext } from '../../src/extensions/registrations.ts'
import { installationsOf } from '../../src/extensions/store.ts'
import {
  changeSharedValues,
  mergedValues,
  storedValues,
} from '../../src/extensions/stored-values.ts'
import type { Context, Services } from '../../src/operation.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { createSecrets, newEncryptionKey, SecretUnreadable } from '../../src/platform/secrets.ts'
import { reencryptAll } from '../../src/sealing/reencrypt.ts'
import { countTasksWithOldKeys } from '../../src/sealing/tasks-with-old-keys.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

let service: Standalone
let remote: TestRemote
beforeAll(async () => {
  // Re-encryption covers all organizations, so this file uses separate indices.
  service = await startStandalone('keys', { outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote({ id: 'oakvale', kind: 'realtime', name: 'Oakvale', calls: ['run'] })
  remote.answers((response) => json(response, { items: [] }))
})
afterAll(async () => {
  await remote.close()
  await service.stop()
})

/** The same service with other encryption keys. */
const withKeys = (...keys: string[]): Services => ({
  ...service.services,
  secrets: createSecrets(keys.join(',')),
})
const signal = AbortSignal.timeout(120_000)

const FIELDS = [
  field('address', 'Address'),
  field('password', 'Password', { protected: true }),
  field('token', 'Token', { protected: true, sharedKey: 'oakvale' }),
]
const VALUES = { address: 'a.example', password: 'p4ss', token: 't0ken' }
const EXTENSION = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='

let organization: TestOrganization
let installation: string
beforeEach(async () => {
  organization = await newOrganization(service)
  const { call } = organization
  const body = { manifestUrl: `${remote.url}/manifest.json` }
  await expectOk(call('POST /api/extensions/available', { body }))
  const line = 'POST /api/extensions/available/file/install'
  installation = (await expectOk(call(line, { body: {} }))).body.id
})

/** Stores one secret of each kind, encrypted with the first key of these services. */
async function store(services: Services): Promise<string> {
  const { id } = organization
  const parts = { organization: id, installation, fields: FIELDS }
  const { own, shared } = storedValues(services, parts, VALUES)
  const installations = installationsOf(services, id)
  const found = (await installations.get(installation))!
  const values = mergedValues(found.source.values, own)
  await installations.replace(installation, { ...found.source, values }, found)
  await changeSharedValues(services, id, {
    change: (before) => mergedValues(before, shared),
    signal,
  })
  const registered = registrationsOf(services, id)
  const at = (await registered.get('oakvale'))!
  const secret = services.secrets.seal(EXTENSION, secretContext(id, 'oakvale'))
  const registration = { ...at.source.registration, secret }
  await registered.replace('oakvale', { ...at.source, registration }, at)
  return rotateSecret({ ...services, organization: { id }, signal } as Context)
}

/** Reads and decrypts all of them. */
async function read(services: Services) {
  const { id } = organization
  const { source } = (await installationsOf(services, id).get(installation))!
  const { registration } = (await registrationsOf(services, id).get('oakvale'))!.source
  return {
    values: await openValues(
      { ...services, organization: { id, parent: null } },
      { ...source, organization: id },
      { fields: FIELDS, signal },
    ),
    extension: services.secrets.open(registration.secret, secretContext(id, 'oakvale')),
    callbacks: await signingSecrets(services, id),
  }
}

describe('after a change of ENCRYPTION_KEY', () => {
  test('every secret is encrypted with the new key once, whether used or not', async () => {
    const [old, current] = [newEncryptionKey(), newEncryptionKey()]
    const secret = await store(withKeys(old))
    const expected = { values: VALUES, extension: EXTENSION, callbacks: [secret] }
    const both = withKeys(current, old)
    expect(await read(both)).toEqual(expected)
    await expect(read(withKeys(current))).rejects.toThrow(SecretUnreadable)
    expect(await reencryptAll(both)).toMatchObject({ anew: 4 })
    expect(await read(withKeys(current))).toEqual(expected)
    await expect(read(withKeys(old))).rejects.toThrow(SecretUnreadable)
    expect(await reencryptAll(both)).toMatchObject({ anew: 0 })
  })

  test('nothing is lost with concurrent runs and changes', async () => {
    const [old, current] = [newEncryptionKey(), newEncryptionKey()]
    const secret = await store(withKeys(old))
    const both = withKeys(current, old)
    const rename = (n: number) =>
      organization.call(`PUT /api/extensions/installed/${installation}`, {
        body: { extensionNickname: `Prices ${n}` },
      })
    const [one, other, ...answers] = await Promise.all([
      reencryptAll(both),
      reencryptAll(both),
      ...Array.from({ length: 8 }, (_, n) => rename(n)),
    ])
    expect(one!.anew + other!.anew).toBe(4)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await read(withKeys(current))).toEqual({
      values: VALUES,
      extension: EXTENSION,
      callbacks: [secret],
    })
  })

  test('secrets that no key can decrypt are counted and kept', async () => {
    const lost = newEncryptionKey()
    await store(withKeys(lost))
    const { unreadable } = await reencryptAll(withKeys(newEncryptionKey()))
    expect(unreadable).toBeGreaterThanOrEqual(4)
    expect((await read(withKeys(lost))).values).toEqual(VALUES)
  })

  test('a new secret signs callbacks, even if the previous one can no longer be read', async () => {
    const { id } = organization
    const rotate = (services: Services) =>
      rotateSecret({ ...services, organization: { id }, signal } as Context)
    const lost = withKeys(newEncryptionKey())
    await rotate(lost)
    const services = withKeys(newEncryptionKey())
    await expect(signingSecrets(services, id)).rejects.toThrow(SecretUnreadable)
    const secret = await rotate(services)
    expect(await signingSecrets(services, id)).toEqual([secret])
  })

  test('running tasks that need the previous key are counted', async () => {
    const { call } = organization
    await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
    const before = await countTasksWithOldKeys(service.services)
    remote.answers(() => undefined)
    const body = { fileUrl: `${remote.url}/p.csv`, targetCatalog: 'c' }
    const { taskId } = (await expectOk(call('POST /api/extensions/import/import', { body }))).body
    expect(before).toBe(0)
    expect(await countTasksWithOldKeys(service.services)).toBe(0)
    expect(await countTasksWithOldKeys(withKeys(newEncryptionKey()))).toBe(1)
    await expectOk(call(`PUT /api/tasks/${taskId}`, { body: { cancelled: true } }))
  })
})
