import { AisleError, type Connection } from 'aisle-client'
import { type Lapse, lapsingFetch } from '../../shop/lapse.ts'
import type { Store } from '../../shop/store.ts'
import { keepSigned, keptSigned, type Signed } from '../session.ts'
import { type Grant, renewed } from './tokens.ts'

/** As whom screens ask, for as long as the tab is open. */
export interface Lasting {
  readonly connection: Connection & Signed
  readonly lapse: Store<Lapse<Grant> | undefined>
  /** From now on somebody is there to be asked when the sign-in has ended. */
  watch(): void
}

/** Milliseconds before its end from which on a token is renewed. */
const EARLY_MS = 30_000

/** Renews tokens in time, and has who was signed out sign in again before a request fails for it. */
export function lasting(signed: Signed): Lasting {
  const { organization } = signed
  let grant: Grant = signed
  let isWatched = false
  let renewing: Promise<void> | undefined

  const take = (next: Grant) => {
    grant = next
    // Who signed out meanwhile, or went to another organization, stays so.
    const kept = keptSigned()
    if (kept) keepSigned({ ...next, organization: kept.organization })
  }
  const renew = async () => {
    const { renewal } = grant
    if (!renewal || Date.now() <= renewal.expires - EARLY_MS) return
    renewing ??= renewed(renewal)
      .then(take, (error: unknown) => {
        // Over for good: the service says then that the token has expired.
        if (error instanceof AisleError && error.status === 401) grant = { key: grant.key }
      })
      .finally(() => {
        renewing = undefined
      })
    await renewing
  }
  const asked = lapsingFetch<Grant>({ now: () => grant, take, isAsked: () => isWatched })

  const connection = {
    organization,
    get key() {
      return grant.key
    },
    async fetch(address: Parameters<typeof fetch>[0], init?: RequestInit) {
      await renew()
      return asked.fetch(address, init)
    },
  }
  return {
    connection,
    lapse: asked.lapse,
    watch() {
      isWatched = true
    },
  }
}
