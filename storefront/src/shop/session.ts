import { shareBetweenTabs } from './tabs.ts'

/** Who asks, and which catalog. A search key is enough for everything that needs no person. */
export interface Access {
  readonly key: string
  readonly catalog: string
  /** Only for keys that belong to several organizations. */
  readonly organization?: string
}

/** What the service says of itself to its own pages. */
export interface Settings {
  /** Begins the addresses of pictures that the service keeps. */
  readonly publicUrl: string
  /** The catalog that everybody may look at; null where there is none. */
  readonly demo: (Access & { readonly currency: string }) | null
  /** By whom people sign in at the console; absent where nobody does. */
  readonly signIn?: readonly string[]
}

export interface Session {
  readonly access: Access
  /** ISO 4217; undefined: prices are shown without a currency. */
  readonly currency?: string
  /** false: with the demo's search key, which everybody has. */
  readonly isSignedIn: boolean
  /** Whether the key is a person's, who keeps lists, favorites and notes; a search key is nobody's. */
  readonly isMember: boolean
}

const KEPT = 'aisle.access'

export async function loadSettings(): Promise<Settings> {
  const answer = await fetch('shop/settings.json')
  if (!answer.ok) throw new Error(`shop/settings.json: ${answer.status}`)
  return answer.json()
}

/** What is kept of who signed in. */
export interface Given extends Access {
  readonly isMember: boolean
}

/** The access that was given in this tab, else the demo's; undefined where there is neither. */
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

/** Keys for pages, imports and sessions say so in their beginning. */
export const isPersons = (key: string): boolean =>
  !/^aisle_(search|import|session|signed)_/.test(key)

/** Kept for as long as the tab is open, and sent nowhere but to this service. */
export function signIn(given: Given): void {
  sessionStorage.setItem(KEPT, JSON.stringify(given))
  tabs.announce()
}

/** Also in the other tabs, since a tab without a key takes theirs. */
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

/** Calls when somebody signed out in another tab, and is signed out here as well. */
export function onSignedOutElsewhere(listener: () => void): void {
  left = listener
}

/** A link that is opened in a new tab shows what it shows here. */
export const takeFromOtherTab = (): Promise<void> => tabs.take()

export function keptAccess(): Given | undefined {
  try {
    const given = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
    return given && typeof given.key === 'string' && typeof given.catalog === 'string'
      ? given
      : undefined
  } catch {
    return undefined
  }
}
