import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { type Admission, createAdmission, type Leave } from '../admission.ts'
import { unpaused, type WhilePaused } from '../deadline.ts'
import { type LoadedOrganization, loadOwner } from '../load-owner.ts'
import { restAfter } from '../pacing.ts'
import { OutboundFailure } from './failure.ts'
import type { OutboundAnswer } from './request.ts'

/** The request for which another system is called. */
interface Asker {
  readonly organization: LoadedOrganization
  /** Ends the waiting for a turn. */
  readonly signal: AbortSignal
  /** The admission in which work on a large answer takes places. */
  readonly requests: Admission
  readonly whilePaused?: WhilePaused | undefined
  /** Absent in tasks, which wait for places without limit. */
  readonly leavePlace?: Leave | undefined
}

/** Awaits `hold` with the number of bytes received before it keeps them. */
type AnswerReader<A> = (hold: (bytes: number) => Promise<void>) => Promise<A>

/** Large answers of one organization that may wait to be read. Further ones fail at once. */
const WAITING = 128

/** Bounds the bytes of large answers held by an instance. Others stay on their connections. */
const held = createAdmission({
  capacity: limits.heldAnswerBytes,
  share: limits.organizationAnswerBytes,
  waiting: Infinity,
  ownerWaiting: WAITING,
  what: 'answers of other systems',
})

/**
 * Large answers are processed one at a time, in turn by organization, since they share an event
 * loop.
 */
const turns = createAdmission({ capacity: 1, waiting: Infinity, what: 'answers of other systems' })

/**
 * Reads an answer of another system, of at most `most` bytes as far as that is known, and keeps it
 * until `read` ends. That waits for its turn if the answer is large. Throws the signal's reason,
 * TooManyRequests, and what `read` throws.
 */
export async function whileAnswerHeld<T>(
  { organization, signal, whilePaused = unpaused }: Asker,
  most: number,
  read: AnswerReader<T>,
): Promise<T> {
  let leave: Leave | undefined
  /**
   * Reserves memory for a large response. The reservation then outlasts it by as long as reading it
   * kept the process busy.
   */
  const place = async (): Promise<Leave> => {
    const left = await held.enter(loadOwner(organization), { cost: most, signal })
    const use = performance.eventLoopUtilization()
    return () => setTimeout(left, restAfter(use)).unref()
  }
  try {
    return await read(async (bytes) => {
      if (bytes > limits.smallBodyBytes) leave ??= await whilePaused(place)
    })
  } finally {
    leave?.()
  }
}

/** Like `whileAnswerHeld`, and then processes the answer, which waits for its turn as well. */
export function withHeldAnswer<A, T>(
  asker: Asker,
  most: number,
  { read, work }: { readonly read: AnswerReader<A>; readonly work: (answer: A) => Promise<T> },
): Promise<T> {
  const { whilePaused = unpaused } = asker
  return whileAnswerHeld(asker, most, async (hold) => {
    let size = 0
    const answer = await read((bytes) => {
      size = bytes
      return hold(bytes)
    })
    const cost = Math.min(limits.bodyPlaces, Math.floor(size / limits.placeBytes))
    if (cost === 0) return work(answer)
    return whilePaused(() => inTurn(asker, cost, () => work(answer)))
  })
}

/** Like `withHeldAnswer`, for an opened answer whose body is needed as a whole. */
export const withHeldBody = <T>(
  asker: Asker,
  { headers, body }: Pick<OutboundAnswer<AsyncIterable<Uint8Array>>, 'headers' | 'body'>,
  { maxBytes, work }: { maxBytes: number; work: (bytes: Uint8Array) => Promise<T> },
): Promise<T> =>
  withHeldAnswer(asker, Math.min(maxBytes, Number(headers['content-length']) || maxBytes), {
    read: (hold) => wholeOf(body, maxBytes, hold),
    work,
  })

async function wholeOf(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  hold: (bytes: number) => Promise<void>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new OutboundFailure('tooLarge')
    await hold(bytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Processes an answer in turn. While others are active, its organization then rests for as long, and
 * so does a task, whose next call may follow at once.
 */
async function inTurn<T>(asker: Asker, cost: number, work: () => Promise<T>): Promise<T> {
  const { signal, requests } = asker
  const owner = loadOwner(asker.organization)
  const givesWay = asker.leavePlace === undefined
  const leavePlaces = await requests.enter(owner, { cost, signal, givesWay })
  let began = performance.now()
  const timed = () => {
    began = performance.now()
    return work()
  }
  try {
    return await turns.run(owner, timed, { signal })
  } finally {
    const restMs = Math.min(limits.restMs, performance.now() - began)
    leavePlaces(restMs)
    if (givesWay && requests.hasOthers(owner)) await sleep(restMs)
  }
}
