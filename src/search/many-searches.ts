import { z } from 'zod'
import { batchSearches, type SearchBatchMember } from '../elastic/search-batching.ts'
import { deadlineFailure, Invalid, publicError } from '../errors.ts'
import { limits } from '../limits.ts'
import { bothRevisions, type Context, operation, type RequestFacts } from '../operation.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { sharedPlace } from '../platform/shared-place.ts'
import { parseWith } from '../platform/validation-problem.ts'
import { checkLength } from '../products/criteria.ts'
import { CatalogQuery, NullableText } from '../shapes.ts'
import { type AllowedSearch, allowedSearch, answeredSearch } from './answered-search.ts'
import { criteriaLength } from './criteria.ts'
import { inExplanationTurn } from './explanation-turn.ts'
import { SearchRequestBody } from './request-schemas.ts'
import { SearchResponse } from './response-schemas.ts'

/** Each search is validated separately, so that an invalid one does not fail the others. */
const UncheckedSearch = z.unknown().meta({ $ref: '#/components/schemas/SearchRequest' })

const ManyBody = z.object({
  requests: z
    .array(UncheckedSearch)
    .min(1, 'required')
    .max(limits.searchesTogether)
    .describe(
      `Searches, as for Search. Each can name its own \`catalog\` instead of the one in the query. Their pages can have up to ${limits.productsTogether} products together.`,
    ),
})

const ManyResponse = z
  .object({
    results: z
      .array(
        z.object({
          status: z.int().describe('HTTP status that Search would have returned.'),
          error: NullableText.describe('What is wrong with the request. `null` if nothing is.'),
          answer: SearchResponse.nullable().describe(
            'Response that Search would have returned. `null` if there is an `error`.',
          ),
        }),
      )
      .describe('One result per request, in request order.'),
  })
  .describe('The results of several searches.')

type ManyInput = z.output<typeof CatalogQuery> &
  RequestFacts & { readonly body: z.output<typeof ManyBody> }

export const manySearches = operation({
  name: 'Search Many',
  summary:
    'Runs several searches in one request. Each returns the same response and costs the same as with Search.',
  access: 'viewer',
  keys: ['search'],
  cost: 12,
  reads: true,
  bindings: bothRevisions('POST', '/api/search/many', {
    query: CatalogQuery,
    body: ManyBody,
    answer: ManyResponse,
  }),
  handle: async ({ catalog, body: { requests } }: ManyInput, ctx) => {
    // Each search counts toward the rate limit of the key.
    ctx.weigh?.(requests.length - 1)
    const place = sharedPlace(ctx.leavePlace, requests.length)
    const searches = requests.map((request) => attempt(() => parseSearch(ctx, catalog, request)))
    checkTogether(searches)
    const gathering = batchSearches(ctx.elastic, requests.length, { signal: ctx.signal })
    const header = leastCredits(ctx)
    const answerOne = async (search: AllowedSearch | Failed, piece: SearchBatchMember) => {
      const { leave, end } = place.part()
      const requestId = crypto.randomUUID()
      const own = { ...ctx, requestId, header, leavePlace: leave, retakePlace: undefined }
      const started = performance.now()
      try {
        if (search instanceof Failed) throw search.error
        const answer = await answeredSearch(own, search, piece)
        const took = Math.round(performance.now() - started)
        return { status: 200, error: null, answer: { ...answer, took } }
      } catch (error) {
        return failedResult(ctx, deadlineFailure(error))
      } finally {
        end()
      }
    }
    const isExplained = searches.some((one) => !(one instanceof Failed) && one.criteria.explain)
    const results = await inExplanationTurn(ctx, isExplained, () =>
      Promise.all(searches.map((one) => gathering.run((piece) => answerOne(one, piece)))),
    )
    return { results }
  },
})

class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

function attempt<T>(work: () => T): T | Failed {
  try {
    return work()
  } catch (error) {
    return new Failed(error)
  }
}

const KNOWN = knownFields(SearchRequestBody)

function parseSearch(ctx: Context, catalog: string | undefined, request: unknown): AllowedSearch {
  refuseUnknown(KNOWN, request)
  const body = parseWith(SearchRequestBody, request, 'request')
  return allowedSearch(ctx, { catalog: body.catalog ? undefined : catalog, body })
}

/** Limits the batch, since its searches run at once and all answers are kept until the last one. */
function checkTogether(searches: readonly (AllowedSearch | Failed)[]): void {
  const all = searches.flatMap((one) => (one instanceof Failed ? [] : [one.criteria]))
  const length = all.reduce((sum, one) => sum + criteriaLength(one), 0)
  checkLength(length, 'requests')
  const products = all.reduce((sum, { size }) => sum + size, 0)
  if (products <= limits.productsTogether) return
  throw new Invalid(
    `requests: at most ${limits.productsTogether} products in total; reduce pageSize`,
  )
}

function failedResult({ log, requestId }: Context, error: unknown) {
  const { status, message } = publicError(error)
  if (status >= 500) log.error({ err: error, requestId, operation: 'Search Many' }, 'search failed')
  return { status, error: message, answer: null }
}

/** Sets the header to the least remaining credits, in whatever order the searches report them. */
function leastCredits({ header }: Context): NonNullable<Context['header']> {
  let least = Number.POSITIVE_INFINITY
  return (name, value) => {
    if (name !== 'x-search-credits-remaining') return header?.(name, value)
    least = Math.min(least, Number(value))
    header?.(name, String(least))
  }
}
