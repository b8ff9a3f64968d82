import { collection } from '../../src/elastic/collection.ts'
import type { Key } from '../../src/keys/key.ts'
import { hashOf } from '../../src/keys/key-text.ts'
import type { TestService } from './service.ts'

/** Changes a stored key to the form that keys had before they had a default version. */
export const makeOlder = (service: Pick<TestService, 'services'>, secret: string): Promise<void> =>
  setDefaultVersion(service, secret, undefined)

/** Changes the version of a key's requests that name none. */
export async function setDefaultVersion(
  { services }: Pick<TestService, 'services'>,
  secret: string,
  version: string | undefined,
): Promise<void> {
  const keys = collection<Key>(services.elastic, { kind: 'keys', scope: [] })
  const id = hashOf(secret)
  const { source, ...at } = (await keys.get(id))!
  const { defaultVersion: _, ...older } = source
  const changed = version === undefined ? older : { ...older, defaultVersion: version }
  await keys.replace(id, changed, at, { refresh: true })
  services.cache.drop('key', id)
}
