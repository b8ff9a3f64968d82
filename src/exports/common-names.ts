import type { Steps } from '../platform/steps.ts'

/** Names that are sorted at once, which takes less than a millisecond. */
const SORTED = 1_000

type CountedName = readonly [name: string, count: number]

const byCount = ([a, m]: CountedName, [b, n]: CountedName): number => n - m || (a < b ? -1 : 1)

/** The most common property names of the objects, at most `most`, the most common first. */
export function* commonNames(all: readonly object[], most: number): Steps<string[]> {
  const counts = new Map<string, number>()
  for (const values of all) {
    for (const name of Object.keys(values)) counts.set(name, (counts.get(name) ?? 0) + 1)
    yield
  }
  const first = (some: readonly CountedName[]) => some.toSorted(byCount).slice(0, most)
  let best: CountedName[] = []
  // Products may have hundreds of thousands of different names.
  for (const one of counts) {
    best.push(one)
    if (best.length < most + SORTED) continue
    best = first(best)
    yield
  }
  return first(best).map(([name]) => name)
}
