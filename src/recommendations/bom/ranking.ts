import type { ProductCandidate } from './fit.ts'

/** Products shown for a line that only its words describe. */
const SHOWN = 5
const LEAST = 0.34

/** What speaks for a product by words alone, 0 to 1. */
function likeness({ coverage, nameShare, sameMaker }: ProductCandidate): number {
  const maker = sameMaker === true ? 1 : sameMaker === false ? 0 : 0.5
  return 0.6 * coverage + 0.25 * nameShare + 0.15 * maker
}

/** How likely it is one of several that have the line's number: letter by letter above all. */
export const likelihood = (one: ProductCandidate): number =>
  (one.fits[0]?.exact ? 0.7 : 0.5) + 0.2 * likeness(one)

/** Words are never as sure as a number. */
export const MOST_BY_WORDS = 0.8
const SHORTEST_CODE = 5

/** The line names the manufacturer and its number; what else it says are the buyer's own words. */
const isNamed = ({ fits, sameMaker }: ProductCandidate): boolean =>
  sameMaker === true &&
  fits.some(({ kind, identifier: { text, forms, reference } }) => {
    const [form = ''] = forms
    const isCode = /\p{L}/u.test(form) && /\p{N}/u.test(form) && text.split(' ').length <= 2
    return kind === 'partNumber' && isCode && form.length >= SHORTEST_CODE && !reference
  })

/** How likely it is one of those found by number and by words together. */
export const standing = (one: ProductCandidate): number =>
  isNamed(one) ? likelihood(one) : MOST_BY_WORDS * likeness(one)

/** Products found by number and by words together, the likeliest first. */
export function ranked(
  byNumber: readonly ProductCandidate[],
  byWords: readonly ProductCandidate[],
): ProductCandidate[] {
  const named = new Set(byNumber.map(({ product }) => product.id))
  const all = new Map([...byWords, ...byNumber].map((one) => [one.product.id, one]))
  const inOrder = [...all.values()]
    .filter(({ coverage, product }) => coverage >= LEAST || named.has(product.id))
    .map((one, at) => ({ one, at, standing: standing(one) }))
    .toSorted((a, b) => b.standing - a.standing || a.at - b.at)
    .map(({ one }) => one)
  return inOrder.filter(({ product }, at) => at < SHOWN || named.has(product.id))
}
