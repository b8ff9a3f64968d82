import { type estypes, Serializer } from '@elastic/elasticsearch'
import { memoizeWeak } from '../platform/memoize-weak.ts'

const lengths = new WeakMap<object, number>()

/** Remembers how long each answer was, so that what is read next can be bounded by it. */
export class SizeTrackingSerializer extends Serializer {
  override deserialize<T = unknown>(json: string): T {
    const value = super.deserialize<T>(json)
    if (typeof value === 'object' && value !== null) lengths.set(value, json.length)
    return value
  }
}

/** Characters of an answer of Elasticsearch as it came. */
export const responseLength = (answer: object): number => lengths.get(answer) ?? 0

const lengthOfHits = memoizeWeak(
  (hits: readonly estypes.SearchHit<unknown>[]): number => JSON.stringify(hits).length,
)

/** Characters of its hits alone, as JSON; looked up where other answers have the same. */
export const hitsLength = ({ hits }: Pick<estypes.SearchResponse<unknown>, 'hits'>): number =>
  lengthOfHits(hits.hits)
