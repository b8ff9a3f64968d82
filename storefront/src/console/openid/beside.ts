import { AisleError } from 'aisle-client'
import { type Grant, leaveToSignIn, randomText } from './tokens.ts'

const NAME = 'aisle.sign-in.beside'

interface Wish {
  readonly issuer: string
  /** The tab that waits. */
  readonly beside: string
}

interface Told {
  readonly beside: string
  readonly grant: Grant
}

/** A tab whose person signs in in a window beside it, so that nothing in it is lost. */
export interface Waiting {
  /** Opens the window. Throws AisleError where the browser does not. */
  open(issuer: string): void
  end(): void
}

/** Waits for the token of whoever signs in in such a window. */
export function waitBeside(onGrant: (grant: Grant) => void): Waiting {
  const beside = randomText()
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.beside === beside) onGrant(data.grant)
  })
  return {
    open(issuer) {
      // The new window begins with a copy of what this tab keeps, and has a name of its own.
      sessionStorage.setItem(NAME, JSON.stringify({ issuer, beside } satisfies Wish))
      if (window.open('console', beside)) return
      sessionStorage.removeItem(NAME)
      throw new AisleError(400, 'The sign-in window was blocked. Allow pop-ups and try again.')
    },
    end() {
      sessionStorage.removeItem(NAME)
      channel.close()
    },
  }
}

/** In such a window: goes on to the issuer. Undefined in any other; throws AisleError. */
export function leaveBeside(): Promise<void> | undefined {
  const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Wish | null
  if (kept === null || window.name !== kept.beside) return undefined
  sessionStorage.removeItem(NAME)
  return leaveToSignIn(kept.issuer, kept.beside)
}

/** Gives the tab that waits its token, and closes this window. */
export function tellBeside(beside: string, grant: Grant): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage({ beside, grant } satisfies Told)
  channel.close()
  window.close()
}
