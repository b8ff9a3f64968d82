import { beforeAll, describe, expect, test } from 'vitest'
import { field } from '../../src/extensions/fields.ts'
import { openValues } from '../../src/extensions/open-values.ts'
import { installationsOf } from '../../src/extensions/store.ts'
import {
  changeSharedValues,
  mergedValues,
  readSharedValues,
  storedValues,
} from '../../src/extensions/stored-values.ts'
import type { Services } from '../../src/operation.ts'
import { createSecrets, newEncryptionKey, SecretUnreadable } from '../../src/platform/secrets.ts'
import { newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})

const FIELDS = [
  field('address', 'Address'),
  field('password', 'Password', { protected: true }),
  field('token', 'Token', { protected: true, sharedKey: 'oakvale' }),
  field('region', 'Region', { sharedKey: 'oakvale', sharedId: 'area', defaultValue: 'EU' }),
]
const VALUES = { address: 'a.example', password: 'p4ss', token: 't0ken' }
const caller = { organization: { id: 'caller', parent: null } }
const reading = () => ({ fields: FIELDS, signal: AbortSignal.timeout(30_000) })

/** The same service with other encryption keys. */
const withKeys = (...keys: string[]): Services => ({
  ...service.services,
  secrets: createSecrets(keys.join(',')),
})

/** An installation in a new organization with these values. */
async function installed(services: Services, values: Record<string, string | null> = VALUES) {
  const { id: organization, call } = await newOrganization(service)
  const line = 'POST /api/extensions/available/file/install'
  const { id } = (await call(line, { body: {} })).body
  const store = async (given: Record<string, string | null>) => {
    const parts = { organization, installation: id, fields: FIELDS }
    const { own, shared } = storedValues(services, parts, given)
    const found = (await installationsOf(services, organization).get(id))!
    const next = { ...found.source, values: mergedValues(found.source.values, own) }
    await installationsOf(services, organization).replace(id, next, found)
    const { signal } = reading()
    const change = (before: typeof next.values) => mergedValues(before, shared)
    await changeSharedValues(services, organization, { change, signal })
  }
  await store(values)
  const read = async () => ({
    ...(await installationsOf(services, organization).get(id))!.source,
    organization,
  })
  return { organization, id, read, store }
}

describe('values of an installation', () => {
  test('are returned decrypted, with defaults, and shared ones from the extension that shares them', async () => {
    const services = withKeys(newEncryptionKey())
    const { read, organization, store } = await installed(services)
    const opened = await openValues({ ...services, ...caller }, await read(), reading())
    expect(opened).toEqual({ ...VALUES, region: 'EU' })
    const shared = await readSharedValues(services, organization, reading().signal)
    expect(Object.keys(shared)).toEqual(['oakvale/token'])
    await store({ region: 'US', password: null })
    const { password, ...rest } = VALUES
    expect(await openValues({ ...services, ...caller }, await read(), reading())).toEqual({
      ...rest,
      region: 'US',
    })
  })

  test('are refused if an encrypted one was copied from elsewhere', async () => {
    const services = withKeys(newEncryptionKey())
    const [theirs, mine] = [await installed(services), await installed(services)]
    const copied = { ...(await mine.read()), values: (await theirs.read()).values }
    await expect(openValues({ ...services, ...caller }, copied, reading())).rejects.toThrow(
      SecretUnreadable,
    )
  })
})
