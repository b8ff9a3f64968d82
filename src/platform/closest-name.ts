/** Longer names are hardly typing errors, and comparing them would take time. */
const LONGEST = 64
/** Shorter prefixes are ambiguous: `id` begins many words. */
const LEAST_BEGINNING = 3

/**
 * Suggests the intended name: one with another spelling, with few different letters, or with a
 * common prefix. Undefined when none is close.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined
  const wanted = plain(name)
  const same = known.find((one) => plain(one) === wanted)
  if (same !== undefined) return same
  const most = Math.min(2, Math.floor(wanted.length / 3))
  const near = known
    .map((one) => ({ one, edits: editsBetween(wanted, plain(one)) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
  return near[0]?.one ?? known.find((one) => begins(wanted, plain(one)))
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const begins = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= LEAST_BEGINNING && (a.startsWith(b) || b.startsWith(a))

/**
 * Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of neighbors.
 * Infinity as soon as it is known to be more than `most`.
 */
export function editsBetween(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(changed, swapped, last[j]! + 1, row[j - 1]! + 1))
    }
    // A swap looks back two rows.
    if (Math.min(...row) > most && Math.min(...last) > most) return Number.POSITIVE_INFINITY
    before = last
    last = row
  }
  return last[b.length]!
}
