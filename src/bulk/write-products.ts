import { type Failure, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'

/** Products of one part, and parts that are written at once: one is made while others are indexed. */
const PART = 250
const AT_ONCE = 3
/** Times the longest part so far that one more may take. */
const SLACK = 1.25

interface Writer<Group, Outcome> {
  begin(): { write(groups: readonly Group[]): Promise<Map<Group, readonly Outcome[]>> }
}

/** When a request that begins now has to be answered, by `performance.now()`. */
export const batchEnd = (): number => performance.now() + limits.batchMs

interface GroupWriting<Group, Outcome> {
  /** Of `batchEnd`. */
  readonly end: number
  /** Aborted where a part that is begun takes too long. */
  readonly signal: AbortSignal
  unwritten(group: Group, why: Failure): readonly Outcome[]
  /** Something of the request is written already: that is answered, whatever comes of the rest. */
  readonly isBegun?: boolean
}

const notBegun = () => new Unavailable('There was no time left to begin with it: send it again.')
const cutOff = () => new Unavailable('It took too long, and is written or not: send it again.')

/**
 * Writes products, each once; some parts at a time. A part is begun only where it would be done by
 * `end`, as the longest one so far tells. Throws what ends a part; where that is the time and another
 * part is written, or was before, what became of each is answered all the same.
 */
export async function writeProducts<Group, Outcome>(
  writer: Writer<Group, Outcome>,
  groups: readonly Group[],
  { end, signal, unwritten, isBegun = false }: GroupWriting<Group, Outcome>,
): Promise<Map<Group, readonly Outcome[]>> {
  const written = new Map<Group, readonly Outcome[]>()
  const cut: Group[] = []
  let next = 0
  let longest = 0
  const write = async (part: readonly Group[]) => {
    try {
      for (const [group, outcomes] of await writer.begin().write(part)) written.set(group, outcomes)
    } catch (error) {
      if (!signal.aborted) throw error
      cut.push(...part)
    }
  }
  const worker = async () => {
    for (let now = performance.now(); next < groups.length && now + SLACK * longest < end; ) {
      const part = groups.slice(next, next + PART)
      next += PART
      await write(part)
      const began = now
      now = performance.now()
      longest = Math.max(longest, now - began)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (cut.length > 0 && written.size === 0 && !isBegun) throw signal.reason
  for (const group of cut) written.set(group, unwritten(group, cutOff()))
  for (const group of groups.slice(next)) written.set(group, unwritten(group, notBegun()))
  return written
}
