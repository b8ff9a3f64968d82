import { Unavailable } from '../errors.ts'
import type { WrittenProduct } from '../imports/writing/draft.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { createSerialQueue } from '../platform/serial-queue.ts'

/** Products per part. */
const PART = 250
/** Parts of a request written concurrently. */
const AT_ONCE = 3
/** While others are active, one part of an organization is written at a time, of all requests. */
const parts = createSerialQueue()
/** Expected duration of the next part, as a multiple of the longest one so far. */
const SLACK = 1.25

interface Writer<Group, Outcome> {
  begin(): { write(groups: readonly Group[]): Promise<Map<Group, readonly Outcome[]>> }
}

/** The deadline of a request that begins now, on the clock of `performance.now()`. */
export const batchEnd = (): number => performance.now() + limits.batchMs

interface GroupWriting {
  /** The deadline from `batchEnd`. */
  readonly end: number
  /** `signal` is aborted when a part that has begun takes too long. */
  readonly ctx: Pick<Context, 'requests' | 'signal' | 'organization'>
  /**
   * Whether parts of the request are written already. Then outcomes are returned even after a
   * timeout.
   */
  readonly isBegun?: boolean
}

const notBegun = () => new Unavailable('Not written, since the request timed out. Send it again.')
const cutOff = () =>
  new Unavailable(
    'The request timed out during the write, which may or may not have succeeded. Send it again.',
  )

/**
 * Writes products, several parts at a time unless other organizations are active. A part begins
 * only if it can end before `end`, judged by the longest one so far. Throws the error of a part,
 * except that a timeout is reported per product when another part was written.
 */
export async function writeProducts<Group extends Pick<WrittenProduct, 'size'>, Outcome>(
  writer: Writer<Group, Outcome>,
  groups: readonly Group[],
  { end, ctx, isBegun = false }: GroupWriting,
): Promise<Map<Group, readonly (Outcome | Unavailable)[]>> {
  const { requests, signal, organization } = ctx
  const written = new Map<Group, readonly (Outcome | Unavailable)[]>()
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
  /** Writes the next part, unless there is none, or no time. */
  const writeNext = async (): Promise<boolean> => {
    const began = performance.now()
    if (next >= groups.length || began + SLACK * longest >= end) return false
    const part = groups.slice(next, next + PART)
    next += PART
    await write(part)
    longest = Math.max(longest, performance.now() - began)
    return true
  }
  const inTurn = () =>
    requests.isShared() ? parts.run(loadOwner(organization), writeNext, { signal }) : writeNext()
  const endIfLate = (error: unknown): false => {
    if (signal.aborted) return false
    throw error
  }
  const worker = async () => {
    while (await inTurn().catch(endIfLate));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (cut.length > 0 && written.size === 0 && !isBegun) throw signal.reason
  const fail = (group: Group, why: Unavailable) =>
    written.set(group, Array<Unavailable>(group.size).fill(why))
  for (const group of cut) fail(group, cutOff())
  for (const group of groups.slice(next)) fail(group, notBegun())
  return written
}
