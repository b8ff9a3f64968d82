import type { ProcessorUse } from './processor-use.ts'

export interface AdmissionBounds {
  /** Cost that may be in progress. */
  readonly capacity: number
  /**
   * The part of the capacity that one owner may use, so that some is left for others; all when
   * absent.
   */
  readonly share?: number
  /** The share of an owner while no other one came for limits.sharingMs; `share` when absent. */
  readonly aloneShare?: number
  /**
   * The most work that may wait, in total and (`ownerWaiting`, the total when absent) per part of
   * an owner. An owner may have half of the total, or `ownerWaiting` if that is more. 0: none may
   * wait.
   */
  readonly waiting: number
  readonly ownerWaiting?: number
  /** Maximum milliseconds that work waits; until its signal aborts when absent. */
  readonly waitMs?: number
  /** Whether work keeps its place for as long again as it took, up to limits.restMs. */
  readonly pauses?: boolean
  /**
   * Whether an owner rests after work that used limits.heavyMs of processor time or more, or after
   * much light work that used as much beyond a quarter of the processor: for as long as that, up to
   * limits.restMs. There is no rest after work that gives way.
   */
  readonly rests?: boolean
  /** Whether a rest that `leave` is given is kept though no other owner came. */
  readonly alwaysRests?: boolean
  /** What a refusal says there are too many of, as in `At most 4 uploads at once.` */
  readonly what: string
}

/** How a piece of work asks for admission. */
export interface AdmissionRequest {
  /**
   * Places that the work takes, at least 1; capped at the largest share of an owner. 1 when absent.
   * Work that exceeds the current share begins once its owner has nothing else under way.
   */
  readonly cost?: number
  /** Set for work to which owners who give way do not give way. */
  readonly polled?: boolean | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /**
   * Refuses the work when this much work of its part waits, if that is less than `ownerWaiting`.
   */
  readonly line?: number
  /**
   * Set for all work of an owner who gives way. It has the smaller share for limits.sharingMs after
   * others' work of more than one place that is not `polled`, never reduces the share of others, and
   * waits without limit.
   */
  readonly givesWay?: boolean
}

/** What an admission knows of an owner with work under way. */
export interface AdmissionOwner {
  readonly givesWay: boolean
  readonly use: ProcessorUse
  /** Places that count for its share: those at work, and those after which it rests. */
  underWay: number
  /** Those of them at work. */
  working: number
  /** Heavy pieces of work after which it rests. Nothing else of it begins meanwhile. */
  resting: number
  /** Whether it was charged of late, so that light work which ends meanwhile adds up. */
  isCharged: boolean
}

export const IDLE = { underWay: 0, working: 0, resting: 0, isCharged: false }
