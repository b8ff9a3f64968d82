import { createStore, type Store } from './store.ts'

/** A sign-in that ended while a page is open; its requests wait for the visitor to decide. */
export interface Lapse<Grant> {
  /** Repeats the waiting requests with the new sign-in. */
  goOn(grant: Grant): void
  /** Answers the waiting requests with the service's 401. */
  leave(): void
}

interface Signed<Grant> {
  now(): Grant
  /** Called after a new sign-in. */
  take(grant: Grant): void
  /** Whether the visitor can be asked to sign in again. */
  isAsked(): boolean
}

export interface LapsingFetch<Grant> {
  readonly lapse: Store<Lapse<Grant> | undefined>
  readonly fetch: typeof fetch
}

/**
 * Sends requests with the current key, and asks the visitor to sign in again before one fails with
 * 401.
 */
export function lapsingFetch<Grant extends { readonly key: string }>({
  now,
  take,
  isAsked,
}: Signed<Grant>): LapsingFetch<Grant> {
  const lapse = createStore<Lapse<Grant> | undefined>(undefined)
  let asking: Promise<boolean> | undefined
  let hasDeclined = false

  /** Asks the visitor; resolves to whether they signed in again. */
  const ask = () => {
    asking ??= new Promise<boolean>((resolve) => {
      const end = (isSigned: boolean) => {
        asking = undefined
        hasDeclined = !isSigned
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
  /**
   * After declining, the visitor is asked again only when they act, not when the page refreshes
   * itself.
   */
  const mayAsk = () => isAsked() && (!hasDeclined || navigator.userActivation.isActive)
  const send: typeof fetch = (address, init) =>
    fetch(address, { ...init, headers: { ...init?.headers, authorization: `Bearer ${now().key}` } })

  return {
    lapse,
    async fetch(address, init) {
      const { key } = now()
      const answer = await send(address, init)
      // The service did nothing for a request that it refused with 401, so it can be sent again.
      if (answer.status !== 401 || !mayAsk()) return answer
      const isSigned = now().key !== key || (await ask())
      return isSigned ? send(address, init) : answer
    },
  }
}
