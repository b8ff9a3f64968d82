import { AisleError, type Connection } from 'aisle-client'
import { createStore, type Store } from '../../shop/store.ts'
import { keepSigned, keptSigned, type Signed } from '../session.ts'
import { type Grant, renewed } from './tokens.ts'

/** A sign-in that has ended while screens are open: their requests wait for what becomes of it. */
export interface Lapse {
  /** Sends them again, as who signed in anew. */
  goOn(grant: Grant): void
  /** Answers them as the service did. */
  leave(): void
}

/** As whom screens ask, for as long as the tab is open. */
export interface Lasting {
  readonly connection: Connection & Signed
  readonly lapse: Store<Lapse | undefined>
  /** From now on somebody is there to be asked when the sign-in has ended. */
  watch(): void
}

/** Milliseconds before its end from which on a token is renewed. */
const EARLY_MS = 30_000

/** Renews tokens in time, and has who was signed out sign in again before a request fails for it. */
export function lasting(signed: Signed): Lasting {
  const { organization } = signed
  const lapse = createStore<Lapse | undefined>(undefined)
  let grant: Grant = signed
  let isWatched = false
  let renewing: Promise<void> | undefined
  let asking: Promise<boolean> | undefined
  let wasLeft = false

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
  /** Whether somebody signed in anew. */
  const ask = () => {
    asking ??= new Promise<boolean>((resolve) => {
      const end = (isSigned: boolean) => {
        asking = undefined
        wasLeft = !isSigned
        lapse.set(undefined)
        resolve(isSigned)
      }
      lapse.set({
        goOn(next) {
          take(next)
          end(true)
        },
        leave: () => end(false),
      })
    })
    return asking
  }
  /** Who would not sign in is asked again when they do something, not when a screen looks anew. */
  const mayAsk = () => isWatched && (!wasLeft || navigator.userActivation.isActive)
  const send: typeof fetch = (address, init) =>
    fetch(address, { ...init, headers: { ...init?.headers, authorization: `Bearer ${grant.key}` } })

  const connection = {
    organization,
    get key() {
      return grant.key
    },
    async fetch(address: Parameters<typeof fetch>[0], init?: RequestInit) {
      await renew()
      const { key } = grant
      const answer = await send(address, init)
      // Nothing was done of a request that is refused so: it may be sent again.
      if (answer.status !== 401 || !mayAsk()) return answer
      const isSigned = grant.key !== key || (await ask())
      return isSigned ? send(address, init) : answer
    },
  }
  return {
    connection,
    lapse,
    watch() {
      isWatched = true
    },
  }
}
