import { signOut } from '../shop/session.ts'

/** Who signed in, and for which organization. */
export interface Signed {
  readonly key: string
  readonly organization: string
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
