import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'

/** Products of one part, and parts that are written at once: one is made while others are indexed. */
const PART = 250
const AT_ONCE = 3

interface Writer<Group, Outcome> {
  begin(): { write(groups: readonly Group[]): Promise<Map<Group, readonly Outcome[]>> }
}

/** When a request that begins now has to be answered, by `performance.now()`. */
export const batchEnd = (): number => performance.now() + limits.batchMs

/** What is said of what `writeProducts` did not begin. */
export const notBegun = () =>
  new Unavailable('There was no time left to begin with it: send it again.')

/**
 * Writes products, each once; some parts at a time. A part is begun only where the longest one would
 * be done twice by `end`: the outcomes of products that are not begun are missing.
 */
export async function writeProducts<Group, Outcome>(
  writer: Writer<Group, Outcome>,
  groups: readonly Group[],
  end: number,
): Promise<Map<Group, readonly Outcome[]>> {
  const all = new Map<Group, readonly Outcome[]>()
  let next = 0
  let longest = 0
  const worker = async () => {
    for (let now = performance.now(); next < groups.length && now + 2 * longest < end; ) {
      const part = groups.slice(next, next + PART)
      next += PART
      for (const [group, outcomes] of await writer.begin().write(part)) all.set(group, outcomes)
      const began = now
      now = performance.now()
      longest = Math.max(longest, now - began)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return all
}
