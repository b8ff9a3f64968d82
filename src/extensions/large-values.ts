import { limits } from '../limits.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { unpaused, type WhilePaused } from '../platform/deadline.ts'
import { inSteps } from '../platform/in-steps.ts'
import { type LoadedOrganization, loadOwner } from '../platform/load-owner.ts'
import type { Steps } from '../platform/steps.ts'

/** The request or task that calls an extension. */
export interface LargeCaller {
  readonly organization: LoadedOrganization
  /** Ends the waiting for a turn. */
  readonly signal: AbortSignal
  readonly whilePaused?: WhilePaused | undefined
}

/** Characters of values from which opening, sending and redacting them waits for a turn. */
const LARGE = 32 * 1024

/**
 * Large values are processed for one call at a time, in turn by organization, and a pause follows
 * each, since one request may call many extensions and all share an event loop.
 */
const turns = createTurns('calls with large values')
/** The same for large answers. Turns for values are taken within these. */
const answerTurns = createTurns('large answers of extensions')

function createTurns(what: string): Admission {
  return createAdmission({ capacity: 1, pauses: true, waiting: Infinity, what })
}

/** Works on so many characters or bytes, in turn if those are many. */
const ifLarge = <T>(
  turns: Admission,
  { organization, signal, whilePaused = unpaused }: LargeCaller,
  size: number,
  work: () => Promise<T>,
): Promise<T> =>
  size <= LARGE ? work() : whilePaused(() => turns.run(loadOwner(organization), work, { signal }))

/** Runs steps of a call on so many characters, in turn if those are many. */
export const inTurnIfLarge = <T>(
  caller: LargeCaller,
  characters: number,
  steps: Steps<T>,
): Promise<T> => ifLarge(turns, caller, characters, () => inSteps(steps))

/** Processes an answer of so many bytes, in turn if it is large. */
export const answerInTurnIfLarge = <T>(
  caller: LargeCaller,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> => ifLarge(answerTurns, caller, bytes, work)

/** Bounds the characters of large values that calls hold until they are answered. */
const held = createAdmission({
  capacity: limits.heldAnswerBytes,
  share: limits.organizationAnswerBytes,
  waiting: Infinity,
  ownerWaiting: 2 * limits.installations,
  waitMs: limits.requestWaitMs,
  what: 'characters of calls with large values',
})

/** Makes a call with so many characters once there is room for them. Throws TooManyRequests. */
export const whileHeld = <T>(
  organization: LoadedOrganization,
  characters: number,
  work: () => Promise<T>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T> =>
  characters <= LARGE
    ? work()
    : held.run(loadOwner(organization), work, { cost: characters, ...options })

/** About how many characters a value has as JSON. */
export function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let length = 0
  for (const [name, item] of Object.entries(value)) length += name.length + lengthOf(item)
  return length
}
