import type { Candidate } from './fit.ts'

/** Products shown for a line that only its words describe. */
const SHOWN = 5
const LEAST = 0.34

/** What speaks for a product by words alone, 0 to 1. Pure. */
export function likeness({ coverage, nameShare, sameMaker }: Candidate): number {
  const maker = sameMaker === true ? 1 : sameMaker === false ? 0 : 0.5
  return 0.6 * coverage + 0.25 * nameShare + 0.15 * maker
}

/** How likely it is one of several that have the line's number: letter by letter above all. Pure. */
export const likelihood = (one: Candidate): number =>
  (one.fits[0]?.exact ? 0.7 : 0.5) + 0.2 * likeness(one)

/** Products found by number and by words together, the likeliest first. Pure. */
export function ranked(byNumber: readonly Candidate[], byWords: readonly Candidate[]): Candidate[] {
  const named = new Set(byNumber.map(({ product }) => product.id))
  const all = new Map([...byWords, ...byNumber].map((one) => [one.product.id, one]))
  const inOrder = [...all.values()]
    .filter(({ coverage, product }) => coverage >= LEAST || named.has(product.id))
    .map((one, at) => ({ one, at, likeness: likeness(one) }))
    .toSorted((a, b) => b.likeness - a.likeness || a.at - b.at)
    .map(({ one }) => one)
  return inOrder.filter(({ product }, at) => at < SHOWN || named.has(product.id))
}
