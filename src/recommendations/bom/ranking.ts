import type { ProductCandidate } from './fit.ts'

/** Number of products returned for a line that was only found by words. */
const SHOWN = 5
const LEAST = 0.34

/** How well words and manufacturer fit a product, 0 to 1. */
function likeness({ coverage, nameShare, sameMaker }: ProductCandidate): number {
  const maker = sameMaker === true ? 1 : sameMaker === false ? 0 : 0.5
  return 0.6 * coverage + 0.25 * nameShare + 0.15 * maker
}

/** Score of one of several products with the line's number. An exact match scores higher. */
export const likelihood = (one: ProductCandidate): number =>
  (one.fits[0]?.exact ? 0.7 : 0.5) + 0.2 * likeness(one)

/** Maximum score by words, which are never as reliable as a number. */
export const MOST_BY_WORDS = 0.8
const SHORTEST_CODE = 5

/**
 * Whether the line has the product's manufacturer and part number, whatever its other words are.
 */
const isNamed = ({ fits, sameMaker }: ProductCandidate): boolean =>
  sameMaker === true &&
  fits.some(({ kind, identifier: { text, forms, reference } }) => {
    const [form = ''] = forms
    const isCode = /\p{L}/u.test(form) && /\p{N}/u.test(form) && text.split(' ').length <= 2
    return kind === 'partNumber' && isCode && form.length >= SHORTEST_CODE && !reference
  })

/** Score among products found by number and by words together. */
export const combinedScore = (one: ProductCandidate): number =>
  isNamed(one) ? likelihood(one) : MOST_BY_WORDS * likeness(one)

/** Products found by number and by words together, the highest score first. */
export function ranked(
  byNumber: readonly ProductCandidate[],
  byWords: readonly ProductCandidate[],
): ProductCandidate[] {
  const named = new Set(byNumber.map(({ product }) => product.id))
  const all = new Map([...byWords, ...byNumber].map((one) => [one.product.id, one]))
  const inOrder = [...all.values()]
    .filter(({ coverage, product }) => coverage >= LEAST || named.has(product.id))
    .map((one, at) => ({ one, at, combinedScore: combinedScore(one) }))
    .toSorted((a, b) => b.combinedScore - a.combinedScore || a.at - b.at)
    .map(({ one }) => one)
  return inOrder.filter(({ product }, at) => at < SHOWN || named.has(product.id))
}
