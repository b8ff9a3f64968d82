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

/** Characters of its hits alone, as JSON. */
export const hitsLength = memoizeWeak(
  ({ hits }: estypes.SearchResponse<unknown>): number => JSON.stringify(hits.hits).length,
)
