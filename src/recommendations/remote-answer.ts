import { RemoteFailed } from '../extensions/remote-call.ts'
import type { Match, RecommendationResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import type { ProductReference } from '../products/product-key.ts'
import { areVisible, uniqueReferences } from '../products/references.ts'
import { token } from '../text.ts'

export interface VisibleAnswer {
  readonly answer: RecommendationResponse
  /** Number of entries that are left out. */
  readonly strangers: number
}

interface RemoteRecommendation {
  /** The extension that recommended it. */
  readonly name: string
  readonly answer: RecommendationResponse
  /** The catalog of entries that name none. */
  readonly catalog: string | null
}

/** The entries of an answer whose products the caller sees. Throws RemoteFailed for too many. */
export async function visibleAnswer(
  ctx: Context,
  { name, answer, catalog }: RemoteRecommendation,
): Promise<VisibleAnswer> {
  const placed = (match: Match): Match => ({ ...match, source: match.source ?? catalog })
  const matched = answer.matchedProducts.map(placed)
  const possible = answer.possibleProducts.map(placed)
  const named = answer.products.map((productId) => ({ source: catalog, productId }))
  const wanted = uniqueReferences([...matched, ...possible, ...named].flatMap(referenceOf))
  if (wanted.length > limits.remoteRecommendations) {
    throw new RemoteFailed(name, `returned more than ${limits.remoteRecommendations} products.`)
  }
  const present = await areVisible(ctx, wanted)
  const found = wanted.filter((_, at) => present[at])
  const places = new Set(found.map((one) => token(one.catalog, one.productId)))
  const ids = new Set(found.map(({ productId }) => productId))
  const isKnown = (match: Match) => places.has(token(match.source ?? '', match.productId))
  const kept = {
    products: answer.products.filter((id) => ids.has(id)),
    matchedProducts: matched.filter(isKnown),
    possibleProducts: possible.filter(isKnown),
  }
  return { answer: { ...answer, ...kept }, strangers: entries(answer) - entries(kept) }
}

type MatchReference = Pick<Match, 'source' | 'productId'>

const referenceOf = ({ source, productId }: MatchReference): ProductReference[] =>
  source === null ? [] : [{ catalog: source, productId }]

const entries = (
  answer: Pick<RecommendationResponse, 'products' | 'matchedProducts' | 'possibleProducts'>,
): number => answer.products.length + answer.matchedProducts.length + answer.possibleProducts.length
