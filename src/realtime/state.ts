import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { perOwner } from '../platform/per-owner.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Breaker, closed } from './breaker.ts'
import type { Item, Outcome } from './outcome.ts'
import type { Asked, Vendor } from './vendor.ts'

/** What a vendor said of one product, when, and when that is stored in the catalog. */
export interface Answered {
  readonly outcome: Outcome
  /** Null where it did not answer. */
  readonly time: Date | null
  /** Until when it need not be asked again, in milliseconds since 1970. */
  readonly until: number
  readonly stored: Promise<void>
}

/** An offer that waits to be stored. */
export interface NewOffer {
  readonly ctx: Context
  readonly vendor: Vendor
  readonly asked: Asked
  readonly item: Item
  readonly end: () => void
}

/** How it stands with one vendor. */
export interface VendorState {
  breaker: Breaker
  readonly lane: Admission
}

/** What one instance remembers of its vendors. */
export interface RealtimeState {
  readonly answers: Answers<Answered>
  /** Offers that wait to be stored, by product, of which a few are written at once. */
  readonly writes: Batches<NewOffer>
  readonly lane: Admission
  vendor(key: string, name: string): VendorState
}

const VENDORS = 10_000
const WRITES = 16

export const stateOf = perOwner<Elastic, RealtimeState>(() => {
  const vendors = new Map<string, VendorState>()
  return {
    answers: createAnswers(limits.realtimeAnswers),
    writes: createBatches<NewOffer>(),
    lane: createAdmission({
      capacity: WRITES,
      waiting: limits.realtimeAnswers,
      what: 'new offers',
    }),
    vendor(key, name) {
      const known = vendors.get(key)
      if (known) return known
      if (vendors.size >= VENDORS) vendors.delete(vendors.keys().next().value!)
      const lane = createAdmission({
        capacity: limits.realtimeCalls,
        waiting: limits.realtimeWaiting,
        what: `questions to ${name}`,
      })
      const state: VendorState = { breaker: closed, lane }
      vendors.set(key, state)
      return state
    },
  }
})
