import { type estypes, Serializer } from '@elastic/elasticsearch'
import { memoizeWeak } from '../platform/memoize-weak.ts'

const lengths = new WeakMap<object, number>()

/** Records the length of each response, so that later reads can be bounded by it. */
export class SizeTrackingSerializer extends Serializer {
  override deserialize<T = unknown>(json: string): T {
    const value = super.deserialize<T>(json)
    if (typeof value === 'object' && value !== null) lengths.set(value, json.length)
    return value
  }
}

/** Characters of a response as Elasticsearch sent it. */
export const responseLength = (answer: object): number => lengths.get(answer) ?? 0

const lengthOfHits = memoizeWeak(
  (hits: readonly estypes.SearchHit<unknown>[]): number => JSON.stringify(hits).length,
)

/** Characters of the hits as JSON, cached for responses that share them. */
export const hitsLength = ({ hits }: Pick<estypes.SearchResponse<unknown>, 'hits'>): number =>
  lengthOfHits(hits.hits)
