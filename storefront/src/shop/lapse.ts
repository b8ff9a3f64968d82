import { createStore, type Store } from './store.ts'

/** A sign-in that has ended while a page is open: its requests wait for what becomes of it. */
export interface Lapse<Grant> {
  /** Sends them again, as who signed in anew. */
  goOn(grant: Grant): void
  /** Answers them as the service did. */
  leave(): void
}

interface Signed<Grant> {
  now(): Grant
  /** Somebody signed in anew. */
  take(grant: Grant): void
  /** Whether somebody is there to be asked. */
  isAsked(): boolean
}

export interface LapsingFetch<Grant> {
  readonly lapse: Store<Lapse<Grant> | undefined>
  readonly fetch: typeof fetch
}

/** Sends requests as whoever is signed in now, and has them sign in again before one fails for it. */
export function lapsingFetch<Grant extends { readonly key: string }>({
  now,
  take,
  isAsked,
}: Signed<Grant>): LapsingFetch<Grant> {
  const lapse = createStore<Lapse<Grant> | undefined>(undefined)
  let asking: Promise<boolean> | undefined
  let wasLeft = false

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
  /** Who would not sign in is asked again when they do something, not when a page looks anew. */
  const mayAsk = () => isAsked() && (!wasLeft || navigator.userActivation.isActive)
  const send: typeof fetch = (address, init) =>
    fetch(address, { ...init, headers: { ...init?.headers, authorization: `Bearer ${now().key}` } })

  return {
    lapse,
    async fetch(address, init) {
      const { key } = now()
      const answer = await send(address, init)
      // Nothing was done of a request that is refused so: it may be sent again.
      if (answer.status !== 401 || !mayAsk()) return answer
      const isSigned = now().key !== key || (await ask())
      return isSigned ? send(address, init) : answer
    },
  }
}
