import { signOut } from '../shop/session.ts'

/** The credentials of the tab, and its organization. */
export interface Signed {
  /** An API key, or the token of a user. */
  readonly key: string
  readonly organization: string
  /** Present for tokens that can be renewed. */
  readonly renewal?: Renewal | undefined
}

/** How to renew a token. */
export interface Renewal {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly audiences: readonly string[]
  readonly refreshToken: string
  /** When the token expires, in milliseconds since the epoch. */
  readonly expires: number
}

const KEPT = 'aisle.console'

/** Stores the credentials until the tab is closed. They are sent to this service only. */
export const keepSigned = (signed: Signed): void =>
  sessionStorage.setItem(KEPT, JSON.stringify(signed))

/** Signs out; also in the storefront, if a catalog was opened there with the same key. */
export function forgetSigned(): void {
  sessionStorage.removeItem(KEPT)
  signOut()
}

export function keptSigned(): Signed | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
    return typeof kept?.key === 'string' && typeof kept.organization === 'string' ? kept : undefined
  } catch {
    return undefined
  }
}
