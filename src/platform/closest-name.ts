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
 * Infinity if it is more than `most`: then only cells near the diagonal are computed.
 */
export function editsBetween(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const part = (text: string) => text.slice(start, text.length - end)
  const edits = editsOfParts(part(a), part(b), most)
  return edits > most ? Number.POSITIVE_INFINITY : edits
}

function editsOfParts(a: string, b: string, most: number): number {
  const far = a.length + b.length
  if (a.length === 0 || b.length === 0) return far
  // Cells beside those that are computed are read, so they must be far.
  let last = Array.from({ length: b.length + 2 }, (_, at) => at)
  let before = [...last]
  let row = [...last]
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most)
    const to = Math.min(b.length, i + most)
    let left = from === 1 ? i : far
    let least = far
    row[from - 1] = left
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let edits = Math.min(last[j - 1]! + (isSame ? 0 : 1), last[j]! + 1, left + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, before[j - 2]! + 1)
      }
      row[j] = left = edits
      if (edits < least) least = edits
    }
    row[to + 1] = far
    // A swap looks back two rows.
    if (least > most && leastBefore > most) return far
    leastBefore = least
    const free = before
    before = last
    last = row
    row = free
  }
  return last[b.length]!
}
