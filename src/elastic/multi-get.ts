import { Unavailable } from '../errors.ts'
import { call, type Elastic } from './client.ts'
import type { Collection, ReadOptions } from './collection.ts'
import { transportOptions } from './search.ts'

/** A document of one of several collections. */
export interface Wanted<T extends object> {
  readonly from: Collection<T>
  readonly id: string
}

/** Reads documents of several collections in one call, in order; undefined where there is none. */
export async function multiGet<T extends object>(
  elastic: Elastic,
  wanted: readonly Wanted<T>[],
  { source, ...options }: ReadOptions = {},
): Promise<(T | undefined)[]> {
  if (wanted.length === 0) return []
  const docs = wanted.map(({ from: { place, documentId }, id }) => ({
    _index: elastic.indexName(place.kind),
    _id: documentId(id),
    ...(place.routing === undefined ? {} : { routing: place.routing }),
  }))
  const answer = await call(() =>
    elastic.client.mget<T>(
      { docs, ...(source ? { _source_includes: [...source] } : {}) },
      transportOptions(options),
    ),
  )
  return answer.docs.map((doc) => {
    if ('error' in doc) throw new Unavailable('A document could not be read now.')
    return doc.found ? doc._source : undefined
  })
}
