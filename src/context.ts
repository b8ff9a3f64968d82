import type { Caller, CallerOrganization, Sender } from './caller.ts'
import type { AnswerCache } from './elastic/answer-cache.ts'
import type { Elastic } from './elastic/client.ts'
import type { Admission, Leave } from './platform/admission.ts'
import type { Background } from './platform/background.ts'
import type { HitCache } from './platform/cache.ts'
import type { Clock } from './platform/clock.ts'
import type { FileStore } from './platform/file-store.ts'
import type { Log } from './platform/log.ts'
import type { Notifier } from './platform/mail.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Outbound } from './platform/outbound/outbound.ts'
import type { RateLimiter } from './platform/rate-limiter.ts'
import type { Secrets } from './platform/secrets.ts'
import type { Tracing } from './platform/tracing.ts'

/** What a request may use, made once for a service. */
export interface Services {
  readonly elastic: Elastic
  readonly files: FileStore
  readonly cache: HitCache
  /** Of searches of products. */
  readonly answers: AnswerCache
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
  readonly background: Background
  readonly notifier: Notifier
  readonly outbound: Outbound
  readonly secrets: Secrets
  /** Requests a second by the hash of their key; it knows keys that were good lately. */
  readonly keyRates: RateLimiter
  /** Requests a second that keys are bound to by themselves. */
  readonly ownRates: RateLimiter
  /** As both, of signed keys and whom they are for: their number is their signers' alone. */
  readonly signedRates: RateLimiter
  /** Operations under way, by what they cost; shared fairly between organizations. */
  readonly requests: Admission
  /** Bytes of request bodies that are held. */
  readonly bodies: Admission
  readonly uploads: Admission
  /** Begins every url in an answer; no slash at the end. */
  readonly publicUrl: string
  /** Tells the task runner that a task was queued. */
  readonly wakeTasks: () => void
  /** Takes away what a user who left an organization had there alone. */
  readonly userLeft: (username: string) => Promise<unknown>
  /** Tells the audit log of a user whom a token made, or gave another role. */
  readonly noteSignIn: (
    ctx: CallerContext,
    change: ChangeNote & { readonly owner: string },
  ) => Promise<void>
}

/** What a verb tells of what it changed, for the audit log. */
export interface ChangeNote {
  /** The organization whose thing it is; the one in effect when absent. */
  readonly owner?: string
  /** As it was; absent of what is new. */
  readonly before?: object | undefined
  /** As it is; absent of what is gone. */
  readonly after?: object | undefined
}

/** A request without a credential. `signal` aborts when the request's deadline passes. */
export interface PublicContext extends Services {
  readonly requestId: string
  readonly signal: AbortSignal
  /** Adds a header to the answer, also when it will be a failure. Absent where nobody is answered. */
  readonly header?: (name: string, value: string) => void
  /** Who sent it, as far as the connection tells. Absent where nobody is answered. */
  readonly sender?: Sender
  /** Counts further requests by the rate of the key. Absent where there is none. */
  readonly weigh?: (requests: number) => void
  /** The address names the key, and nothing else says for whom it is asked. */
  readonly isAddressed?: boolean
  /** Gives the request's place to others, before it waits for something else. Absent in tasks. */
  readonly leavePlace?: Leave
  /** Takes a place again, in turn, for what is left to do. Throws TooManyRequests, the signal's reason. */
  readonly retakePlace?: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Tells what is changed; the last word counts. Absent where nobody keeps it. */
  readonly noteChange?: (change: ChangeNote) => void
}

/** A request with a credential. `organization` is null when none was named and none is implied. */
export interface CallerContext extends PublicContext {
  readonly caller: Caller
  readonly organization: CallerOrganization | null
}

/** A request with a credential in an organization: what nearly every operation sees. */
export interface Context extends CallerContext {
  readonly organization: CallerOrganization
}
