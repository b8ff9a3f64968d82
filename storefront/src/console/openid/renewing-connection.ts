import { AisleError, type Connection } from 'aisle-client'
import { type Lapse, lapsingFetch } from '../../shop/lapse.ts'
import type { Store } from '../../shop/store.ts'
import { keepSigned, keptSigned, type Signed } from '../session.ts'
import { type Grant, renewed } from './tokens.ts'

/** The connection of the console's screens, with renewal of its token. */
export interface RenewingConnection {
  readonly connection: Connection & Signed
  readonly lapse: Store<Lapse<Grant> | undefined>
  /** From now on the user can be asked to sign in again when the session expires. */
  watch(): void
}

/** How long before its expiry a token is renewed. */
const EARLY_MS = 30_000

/** Renews tokens before they expire, and asks the user to sign in again before a request fails. */
export function renewingConnection(signed: Signed): RenewingConnection {
  const { organization } = signed
  let grant: Grant = signed
  let isWatched = false
  let renewing: Promise<void> | undefined

  const take = (next: Grant) => {
    grant = next
    // Do not sign in again a user who signed out meanwhile, and keep the organization they switched
    // to.
    const kept = keptSigned()
    if (kept) keepSigned({ ...next, organization: kept.organization })
  }
  const renew = async () => {
    const { renewal } = grant
    if (!renewal || Date.now() <= renewal.expires - EARLY_MS) return
    renewing ??= renewed(renewal)
      .then(take, (error: unknown) => {
        // The renewal was refused for good: the service will answer that the token has expired.
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
