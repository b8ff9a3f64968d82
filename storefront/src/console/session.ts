import { signOut } from '../shop/session.ts'

/** Who signed in, and for which organization. */
export interface Signed {
  /** Or the token of a person. */
  readonly key: string
  readonly organization: string
  /** Of a token that can be renewed. */
  readonly renewal?: Renewal | undefined
}

/** How the issuer of a token makes the next one. */
export interface Renewal {
  readonly tokenEndpoint: string
  readonly clientId: string
  readonly audiences: readonly string[]
  readonly refreshToken: string
  /** Milliseconds since the epoch at which the token ends. */
  readonly expires: number
}

const KEPT = 'aisle.console'

/** Kept for as long as the tab is open, and sent nowhere but to this service. */
export const keepSigned = (signed: Signed): void =>
  sessionStorage.setItem(KEPT, JSON.stringify(signed))

/** Also in the storefront, where a catalog was opened with the key. */
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
