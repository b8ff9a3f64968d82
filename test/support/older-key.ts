import { collection } from '../../src/elastic/collection.ts'
import type { Key } from '../../src/keys/key.ts'
import { hashOf } from '../../src/keys/key-text.ts'
import type { TestService } from './service.ts'

/** Changes a stored key to the form that keys had before they had a default version. */
export async function makeOlder({ services }: TestService, secret: string): Promise<void> {
  const keys = collection<Key>(services.elastic, { kind: 'keys', scope: [] })
  const id = hashOf(secret)
  const { source, ...at } = (await keys.get(id))!
  const { defaultVersion: _, ...older } = source
  await keys.replace(id, older, at, { refresh: true })
  services.cache.drop('key', id)
}
