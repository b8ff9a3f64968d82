import { shareBetweenTabs } from './tabs.ts'

/**
 * The key to ask with, and the catalog. A search key suffices for everything that needs no user.
 */
export interface Access {
  readonly key: string
  readonly catalog: string
  /** Needed only for keys that have access to several organizations. */
  readonly organization?: string
}

/** Settings that the service gives its own pages. */
export interface Settings {
  /** Prefix of the addresses of pictures that the service stores. */
  readonly publicUrl: string
  /** Access to the public demo catalog; null if there is none. */
  readonly demo: (Access & { readonly currency: string }) | null
  /** Identity providers that people sign in with at the console; absent if there are none. */
  readonly signIn?: readonly string[]
}

export interface Session {
  readonly access: Access
  /** ISO 4217 code; if undefined, prices are shown without a currency. */
  readonly currency?: string
  /** false: with the demo's public search key. */
  readonly isSignedIn: boolean
  /**
   * Whether the key belongs to a user, who can keep lists, favorites and notes; a search key does
   * not.
   */
  readonly isMember: boolean
}

const KEPT = 'aisle.access'

export async function loadSettings(): Promise<Settings> {
  const answer = await fetch('shop/settings.json')
  if (!answer.ok) throw new Error(`shop/settings.json: ${answer.status}`)
  return answer.json()
}

/** What is stored about a signed-in visitor. */
export interface StoredAccess extends Access {
  readonly isMember: boolean
}

/** The access given in this tab, else the demo's; undefined if there is neither. */
export function currentSession({ demo }: Settings): Session | undefined {
  const given = keptAccess()
  if (given) {
    const isDemo = given.catalog === demo?.catalog && given.organization === demo.catalog
    const { isMember } = given
    return {
      access: given,
      isSignedIn: true,
      isMember,
      ...(isDemo ? { currency: demo.currency } : {}),
    }
  }
  return demo
    ? { access: demo, currency: demo.currency, isSignedIn: false, isMember: false }
    : undefined
}

/** Keys for pages, imports and sessions have a prefix that says so. */
export const isPersons = (key: string): boolean =>
  !/^aisle_(search|import|session|signed)_/.test(key)

/** Stores the access until the tab is closed. It is sent to this service only. */
export function signIn(given: StoredAccess): void {
  sessionStorage.setItem(KEPT, JSON.stringify(given))
  tabs.announce()
}

/** Signs out in the other tabs too, since a tab without a key takes theirs. */
export function signOut(): void {
  sessionStorage.removeItem(KEPT)
  tabs.leave()
}

const tabs = shareBetweenTabs({
  read: () => sessionStorage.getItem(KEPT),
  write: (given) => sessionStorage.setItem(KEPT, given),
  forget: () => {
    if (sessionStorage.getItem(KEPT) === null) return
    sessionStorage.removeItem(KEPT)
    left()
  },
})
let left = () => {}

/** Sets the listener for a sign-out in another tab, which signs out this tab as well. */
export function onSignedOutElsewhere(listener: () => void): void {
  left = listener
}

/** Takes the access of another tab, so that a link opened in a new tab shows the same. */
export const takeFromOtherTab = (): Promise<void> => tabs.take()

export function keptAccess(): StoredAccess | undefined {
  try {
    const given = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
    return given && typeof given.key === 'string' && typeof given.catalog === 'string'
      ? given
      : undefined
  } catch {
    return undefined
  }
}
