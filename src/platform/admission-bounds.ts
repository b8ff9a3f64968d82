export interface AdmissionBounds {
  /** Cost that may be in progress. */
  readonly capacity: number
  /** One owner's share of it, so that some is left for others; all when absent. */
  readonly share?: number
  /** How much instead, while no other owner came for limits.sharingMs; `share` when absent. */
  readonly aloneShare?: number
  /**
   * Pieces of work that wait at most, in total (half of it of one owner) and per part of an owner (the
   * total when absent); 0: none.
   */
  readonly waiting: number
  readonly ownerWaiting?: number
  /** Milliseconds that a piece of work waits at most; until its signal when absent. */
  readonly waitMs?: number
  /** Whether work keeps its place afterwards for as long as it took, limits.restMs at most. */
  readonly pauses?: boolean
  /**
   * Whether an owner rests after a piece of work, unless it gives way, during which the processor
   * worked limits.heavyMs for them: as long, limits.restMs at most.
   */
  readonly rests?: boolean
  /** Named in the refusal: `At most 4 uploads at once.` */
  readonly what: string
}

/** How a piece of work comes. */
export interface AdmissionRequest {
  /**
   * What it counts for, at least 1; more than an owner may ever have counts as that, and what is
   * more than the share of the moment begins when its owner has nothing else. 1 when absent.
   */
  readonly cost?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /** Refused when this many pieces of work of the owner wait, if fewer than usual. */
  readonly line?: number
  /**
   * All work of an owner who gives way: their share is the smaller one for limits.sharingMs after
   * work of more than one place, nobody else's is smaller for theirs, and they wait without end.
   */
  readonly givesWay?: boolean
}
