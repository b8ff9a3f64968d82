import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../errors.ts'
import { call, type Elastic } from './client.ts'
import type { Collection, ReadOptions } from './collection.ts'
import { inPortions } from './reads.ts'
import { type Place, transportOptions } from './search.ts'
import { lengthOf } from './weighing.ts'

interface GetOptions extends ReadOptions {
  /** False: as searches see them, not as they were written last. */
  readonly realtime?: boolean
}

/** Reads documents by their ids, some at a time, in order; undefined where there is none. */
export const getDocuments = <T extends object>(
  elastic: Elastic,
  place: Pick<Place, 'kind' | 'scope'>,
  docs: readonly estypes.MgetOperation[],
  { source, most, realtime = true, ...options }: GetOptions = {},
): Promise<(estypes.GetGetResult<T> | undefined)[]> =>
  inPortions({ elastic, place, source }, docs, { ...options, most }, async (portion) => {
    const answer = await call(() =>
      elastic.client.mget<T>(
        {
          docs: [...portion],
          // As searches see them: by the copy that was searched.
          ...(realtime || place.scope === null ? {} : { realtime, preference: place.scope }),
          ...(source ? { _source_includes: [...source] } : {}),
        },
        transportOptions(options),
      ),
    )
    const documents = answer.docs.map((doc) => {
      if ('error' in doc) throw new Unavailable('A document could not be read now.')
      return doc.found ? doc : undefined
    })
    return { documents, length: lengthOf(answer) }
  })

/** A document of one of several collections. */
export interface Wanted<T extends object> {
  readonly from: Collection<T>
  readonly id: string
}

/** Reads documents of several collections, in order; undefined where there is none. */
export async function multiGet<T extends object>(
  elastic: Elastic,
  wanted: readonly Wanted<T>[],
  options?: ReadOptions,
): Promise<(T | undefined)[]> {
  const first = wanted[0]
  if (!first) return []
  const docs = wanted.map(({ from: { place, documentId }, id }) => ({
    _index: elastic.indexName(place.kind),
    _id: documentId(id),
    ...(place.routing === undefined ? {} : { routing: place.routing }),
  }))
  const found = await getDocuments<T>(elastic, first.from.place, docs, options)
  return found.map((doc) => doc?._source)
}
