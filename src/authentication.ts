import type { Caller, CallerOrganization, PublicContext } from './operation.ts'

/** The caller a request claims to be, before it is checked. */
export interface Credentials {
  readonly secret: string | undefined
  /** The origin of the web page that asks, where a browser says it. */
  readonly page: string | undefined
  readonly organization: string | undefined
  readonly suborganization: string | undefined
}

export interface Authenticated {
  readonly caller: Caller
  /** Null where the operation needs none. */
  readonly organization: CallerOrganization | null
  /** Counts further requests by the rates that hold the key. */
  readonly weigh?: (requests: number) => void
}

export interface Authentication {
  readonly needsOrganization: boolean
  /** Told of a good key at once, since what is looked at next may fail; what it throws is thrown. */
  readonly onKey: (key: KeyRestrictions) => void
}

interface KeyRestrictions extends Pick<Caller, 'keyType' | 'origins'> {
  /** The revision of requests that name none; without it they have to name one. */
  readonly defaultVersion?: string | null
}

/** Finds the caller, or throws Unauthenticated, Invalid, NotFound or Forbidden. */
export type Authenticate = (
  ctx: PublicContext,
  credentials: Credentials,
  authentication: Authentication,
) => Promise<Authenticated>
