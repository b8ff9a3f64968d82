import { errors, type estypes, Serializer } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import { chargeCpuTime } from '../platform/charge-cpu-time.ts'
import { inSteps } from '../platform/in-steps.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { parsingJson } from '../platform/parse-json-in-steps.ts'

const lengths = new WeakMap<object, number>()
/** The length of what comes before the aggregations of a response, by its hits. */
const lengthsBefore = new WeakMap<object, number>()
/** The length of the aggregations of a response, by these. */
const lengthsOfCounts = new WeakMap<object, number>()

/** Quotes in values are escaped, and no aggregation has this name, so the last one is the member. */
const AGGREGATIONS = ',"aggregations":{'

/** Characters from which a response is parsed in steps. */
const LARGE = 64 * 1024

/** The text of a large response. */
class UnparsedResponse {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Responses to failed requests are needed at once. */
const isFailure = (json: string) => json.startsWith('{"error"')

/**
 * Records the length of each response, so that later reads can be bounded by it. Leaves a large one
 * to `parsedResponse`.
 */
export class SizeTrackingSerializer extends Serializer {
  override deserialize<T = unknown>(json: string): T {
    if (json.length > LARGE && !isFailure(json)) return new UnparsedResponse(json) as T
    const parse = () => super.deserialize<T>(json)
    return noted(json, json.length > limits.smallBodyBytes ? chargeCpuTime(parse) : parse())
  }
}

/**
 * What was deserialized, after its large text was parsed in steps. Throws DeserializationError.
 */
export async function parsedResponse(answer: unknown): Promise<unknown> {
  if (!(answer instanceof UnparsedResponse)) return answer
  const { text } = answer
  const value = await inSteps(parsingJson(text)).catch((error: Error) => {
    throw new errors.DeserializationError(error.message, text)
  })
  return noted(text, value)
}

function noted<T>(json: string, value: T): T {
  if (typeof value !== 'object' || value === null) return value
  lengths.set(value, json.length)
  const { aggregations, hits } = value as Partial<estypes.SearchResponse<unknown>>
  if (aggregations && hits) {
    const before = hits.hits.length === 0 ? 0 : json.lastIndexOf(AGGREGATIONS)
    if (before > 0) lengthsBefore.set(hits.hits, before)
    lengthsOfCounts.set(aggregations, json.length - before)
  }
  return value
}

/** Characters of a response as Elasticsearch sent it. */
export const responseLength = (answer: object): number => lengths.get(answer) ?? 0

const lengthOfHits = memoizeWeak(
  (hits: readonly estypes.SearchHit<unknown>[]): number =>
    lengthsBefore.get(hits) ?? JSON.stringify(hits).length,
)

/** Characters of the hits as JSON, cached for responses that share them. */
export const hitsLength = ({ hits }: Pick<estypes.SearchResponse<unknown>, 'hits'>): number =>
  lengthOfHits(hits.hits)

const lengthOfCounts = memoizeWeak(
  (counts: object): number => lengthsOfCounts.get(counts) ?? JSON.stringify(counts).length,
)

/** Characters of the aggregations as JSON, cached for answers that share them. */
export const countsLength = ({
  aggregations,
}: Pick<estypes.SearchResponse<unknown>, 'aggregations'>): number =>
  aggregations ? lengthOfCounts(aggregations) : 0
