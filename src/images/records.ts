import { type Collection, collection } from '../elastic/collection.ts'
import { ALL_PRODUCTS } from '../elastic/own-index.ts'
import { refreshCoalesced } from '../elastic/refresh.ts'
import { search } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'

/** The owner of a stored picture; pictures of the demo have no record and are kept forever. */
export interface ImageRecord {
  readonly id: string
  readonly bytes: number
  readonly created: string
  /** When to check whether a product shows it. As long as one does, the check is postponed. */
  readonly expires: string
  /** Whether a product showed it at the last check; absent before the first check. */
  readonly shown?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The stored pictures of an organization. */
export const imagesOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<ImageRecord> =>
  collection<ImageRecord>(elastic, { kind: 'images', scope: [organization] })

/** The time of the next check of a picture that is kept or new. */
export const nextCheck = (now: Date): string =>
  new Date(now.getTime() + limits.imageDays * DAY_MS).toISOString()

/** The record of a new picture. */
export const newRecord = ({ id, bytes, now }: { id: string; bytes: number; now: Date }) => ({
  id,
  bytes,
  created: now.toISOString(),
  expires: nextCheck(now),
})

/** Those of the pictures that any product of any organization shows, all writes so far included. */
export async function shownImages(
  { elastic }: Pick<Services, 'elastic'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  await refreshCoalesced(elastic, ALL_PRODUCTS)
  const answer = await search(
    elastic,
    { kind: ALL_PRODUCTS, scope: null },
    {
      size: 0,
      track_total_hits: false,
      query: { terms: { 'search.images': [...ids] } },
      aggs: {
        shown: {
          // Global ordinals would be built for the pictures of all organizations.
          terms: {
            field: 'search.images',
            include: [...ids],
            size: ids.length,
            execution_hint: 'map',
          },
        },
      },
    },
  )
  const { buckets } = answer.aggregations!.shown as { buckets: { key: string }[] }
  return new Set(buckets.map(({ key }) => key))
}
