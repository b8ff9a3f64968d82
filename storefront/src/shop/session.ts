import type { Access } from '../aisle/api.ts'

/** What the service says of itself to its own pages. */
export interface Settings {
  /** Begins the addresses of pictures that the service keeps. */
  readonly publicUrl: string
  /** The catalog that everybody may look at; null where there is none. */
  readonly demo: (Access & { readonly currency: string }) | null
}

export interface Session {
  readonly access: Access
  /** ISO 4217; undefined: prices are shown without a currency. */
  readonly currency?: string
  /** false: with the demo's search key, which everybody has. */
  readonly isSignedIn: boolean
}

const KEPT = 'aisle.access'

export async function loadSettings(): Promise<Settings> {
  const answer = await fetch('shop/settings.json')
  if (!answer.ok) throw new Error(`shop/settings.json: ${answer.status}`)
  return answer.json()
}

/** The access that was given in this tab, else the demo's; undefined where there is neither. */
export function currentSession({ demo }: Settings): Session | undefined {
  const given = readGiven()
  if (given) {
    const isDemo = given.catalog === demo?.catalog && given.organization === demo.catalog
    return { access: given, isSignedIn: true, ...(isDemo ? { currency: demo.currency } : {}) }
  }
  return demo ? { access: demo, currency: demo.currency, isSignedIn: false } : undefined
}

/** Kept for as long as the tab is open, and sent nowhere but to this service. */
export const signIn = (access: Access): void => sessionStorage.setItem(KEPT, JSON.stringify(access))
export const signOut = (): void => sessionStorage.removeItem(KEPT)

function readGiven(): Access | undefined {
  try {
    const given = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
    return given && typeof given.key === 'string' && typeof given.catalog === 'string'
      ? given
      : undefined
  } catch {
    return undefined
  }
}
