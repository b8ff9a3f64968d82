import { getDocuments } from './bounded-reads.ts'
import type { Elastic } from './client.ts'
import type { Collection } from './collection.ts'
import { type ReadOptions, sourceToRead } from './place.ts'

/** A document of one of several collections. */
export interface DocumentReference<T extends object> {
  readonly from: Collection<T>
  readonly id: string
}

/** Reads documents of several collections, in order; undefined where there is none. */
export async function multiGet<T extends object>(
  elastic: Elastic,
  wanted: readonly DocumentReference<T>[],
  options?: ReadOptions,
): Promise<(T | undefined)[]> {
  const first = wanted[0]
  if (!first) return []
  const docs = wanted.map(({ from: { place, documentId }, id }) => ({
    _index: elastic.indexName(place.kind),
    _id: documentId(id),
    ...(place.routing === undefined ? {} : { routing: place.routing }),
  }))
  const sources = wanted.flatMap(({ from }) => sourceToRead(from.place, options?.source) ?? [])
  const source = options?.source && [...new Set(sources)]
  const found = await getDocuments<T>(elastic, first.from.place, docs, { ...options, source })
  return found.map((doc, at) => {
    const { visible } = wanted[at]!.from.place
    return doc?._source && (visible?.admits(doc._source) ?? true) ? doc._source : undefined
  })
}
