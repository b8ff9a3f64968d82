import type { Caller, CallerOrganization, PublicContext } from './operation.ts'

/** Who a request says it is, before it is checked. */
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
}

export interface Authentication {
  readonly needsOrganization: boolean
  /** Told of a good key at once, since what is looked at next may fail. */
  readonly onKey: (key: Pick<Caller, 'keyType' | 'origins'>) => void
}

/** Finds the caller, or throws Unauthenticated, Invalid, NotFound or Forbidden. */
export type Authenticate = (
  ctx: PublicContext,
  credentials: Credentials,
  authentication: Authentication,
) => Promise<Authenticated>
