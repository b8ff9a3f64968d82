import type { Caller, CallerOrganization, PublicContext } from './operation.ts'

/** The caller a request claims to be, before it is checked. */
export interface Credentials {
  readonly secret: string | undefined
  /** The origin of the web page that calls, if the browser sends it. */
  readonly page: string | undefined
  readonly organization: string | undefined
  readonly suborganization: string | undefined
}

export interface Authenticated {
  readonly caller: Caller
  /** Null when the operation needs none. */
  readonly organization: CallerOrganization | null
  /** Charges further requests to the rates of the key. */
  readonly weigh?: (requests: number) => void
}

export interface Authentication {
  readonly needsOrganization: boolean
  /** Called with a valid key before further checks, which may fail. What it throws is passed on. */
  readonly onKey: (key: KeyRestrictions) => void
}

interface KeyRestrictions extends Pick<Caller, 'keyType' | 'origins'> {
  /** The revision of requests that name none. Without it, every request has to name one. */
  readonly defaultVersion?: string | null
}

/** Finds the caller, or throws Unauthenticated, Invalid, NotFound or Forbidden. */
export type Authenticate = (
  ctx: PublicContext,
  credentials: Credentials,
  authentication: Authentication,
) => Promise<Authenticated>
