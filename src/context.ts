import type { Caller, CallerOrganization, Sender } from './caller.ts'
import type { AnswerCache } from './elastic/answer-cache.ts'
import type { Elastic } from './elastic/client.ts'
import type { Admission, Leave } from './platform/admission.ts'
import type { Background } from './platform/background.ts'
import type { HitCache } from './platform/cache.ts'
import type { Clock } from './platform/clock.ts'
import type { WhilePaused } from './platform/deadline.ts'
import type { FileStore } from './platform/file-store.ts'
import type { Log } from './platform/log.ts'
import type { Notifier } from './platform/mail.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { RateLimiter } from './platform/rate-limiter.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Tracing } from './platform/tracing.ts'

/** The services that a request may use, created once. */
export interface Services {
  readonly elastic: Elastic
  readonly files: FileStore
  readonly cache: HitCache
  /** Cached answers to searches of products. */
  readonly answers: AnswerCache
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly background: Background
  readonly notifier: Notifier
  readonly outbound: Outbound
  readonly secrets: Secrets
  /** Requests per second by the hash of their key. It knows the keys that were valid recently. */
  readonly keyRates: RateLimiter
  /** Requests per second of keys that have a rate of their own. */
  readonly ownRates: RateLimiter
  /** Like both, for signed keys and their users, whose number is up to their signers alone. */
  readonly signedRates: RateLimiter
  /** Operations under way, by their cost; shared fairly between organizations. */
  readonly requests: Admission
  /** Bytes of request bodies that are held in memory. */
  readonly bodies: Admission
  readonly uploads: Admission
  /** The beginning of every URL in an answer, without a slash at its end. */
  readonly publicUrl: string
  /** Tells the task runner that a task was queued. */
  readonly wakeTasks: () => void
  /** Tells the sender of callbacks that one is due; `again`: the id of one that was tried before. */
  readonly wakeCallbacks: (again?: string) => void
  /** Removes what only a user had, after they left an organization. */
  readonly userLeft: (username: string) => Promise<unknown>
  /** Records in the audit log that a token created a user or changed their role. */
  readonly noteSignIn: (
    ctx: CallerContext,
    change: ChangeNote & { readonly owner: string },
  ) => Promise<void>
}

/** What an operation changed, for the audit log. */
export interface ChangeNote {
  /** The organization that owns the target; the one in effect when absent. */
  readonly owner?: string
  /** The target before the change; absent if it is new. */
  readonly before?: object | undefined
  /** The target after the change; absent if it was removed. */
  readonly after?: object | undefined
}

/** A request without a credential. `signal` aborts when the request's deadline passes. */
export interface PublicContext extends Services {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Adds a header to the answer, even if that is a failure. Absent without an answer to send. */
  readonly header?: (name: string, value: string) => void
  /** The sender, as far as the connection tells. Absent without an answer to send. */
  readonly sender?: Sender
  /** Charges further requests to the rate of the key, or else of the sender. Absent in tasks. */
  readonly weigh?: (requests: number) => void
  /** Whether the caller is identified by the address alone. */
  readonly isAddressed?: boolean
  /** Gives the request's place to others, before it waits for something else. Absent in tasks. */
  readonly leavePlace?: Leave
  /**
   * Takes a place again, in turn, for the rest of the work, or more of them for much work. Throws
   * TooManyRequests, or the signal's reason.
   */
  readonly retakePlace?: ((signal: AbortSignal, places?: number) => Promise<void>) | undefined
  /** Set while a vendor is asked, whose time is short: pauses its time limit. */
  readonly whilePaused?: WhilePaused
  /** Notes what is changed; the last note counts. Absent when no audit log is kept. */
  readonly noteChange?: (change: ChangeNote) => void
}

/** A request with a credential. `organization` is null when none was named and none is implied. */
export interface CallerContext extends PublicContext {
  readonly caller: Caller
  readonly organization: CallerOrganization | null
}

/** A request with a credential in an organization, as nearly every operation gets it. */
export interface Context extends CallerContext {
  readonly organization: CallerOrganization
}
