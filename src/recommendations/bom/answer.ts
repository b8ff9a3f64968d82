import type { Match, RecommendationResponse } from '../../extensions/schemas.ts'
import { rounded } from '../recommendation.ts'
import type { NumberFit, ProductCandidate } from './fit.ts'
import type { FoundLine } from './matching.ts'
import { combinedScore, likelihood, MOST_BY_WORDS } from './ranking.ts'

/** The response for a list that was matched. */
export function answerOf(found: readonly FoundLine[], catalog: string): RecommendationResponse {
  const matched = found.flatMap((one) =>
    one.matched ? [matchOf(one, one.matched, { catalog, isSure: true })] : [],
  )
  const possible = found.flatMap((one) =>
    one.possible.map((candidate) => matchOf(one, candidate, { catalog, isSure: false })),
  )
  return {
    error: null,
    success: true,
    products: [...new Set(matched.map(({ productId }) => productId))],
    matchedProducts: matched,
    possibleProducts: possible,
  }
}

function matchOf(
  { line, byNumber }: FoundLine,
  candidate: ProductCandidate,
  { catalog, isSure }: { catalog: string; isSure: boolean },
): Match {
  const { product, fits, sameMaker } = candidate
  const [fit] = fits
  const { scorer, score } = fit ? scoredFit(fit) : scoredWords(sameMaker === true)
  const unsure = byNumber ? likelihood(candidate) : combinedScore(candidate)
  return {
    productId: product.id,
    scorer,
    source: catalog,
    matchedTo: fit ? fit.identifier.text : line.text,
    qty: line.quantity === undefined ? null : String(line.quantity),
    mfp: product.manufacturerPartNumber ?? null,
    name: product.name ?? null,
    matchGroup: String(line.line),
    score: rounded(isSure ? score : unsure),
  }
}

interface MatchScore {
  readonly scorer: string
  readonly score: number
}

function scoredFit({ kind, exact }: NumberFit): MatchScore {
  switch (kind) {
    case 'partNumber':
      return exact
        ? { scorer: 'exact part number', score: 1 }
        : { scorer: 'part number without punctuation', score: 0.98 }
    case 'gtin':
      return { scorer: 'GTIN', score: 0.99 }
    case 'vendorPartNumber':
      return { scorer: 'vendor part number', score: 0.95 }
    case 'id':
      return { scorer: 'product id', score: 0.9 }
  }
}

const scoredWords = (isSameMaker: boolean): MatchScore => ({
  scorer: isSameMaker ? 'manufacturer + words' : 'text',
  score: MOST_BY_WORDS,
})
