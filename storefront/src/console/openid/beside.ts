import { AisleError } from 'aisle-client'
import { type Grant, leaveToSignIn, randomText } from './tokens.ts'

const NAME = 'aisle.sign-in.beside'

interface Wish {
  readonly issuer: string
  /** Id of the tab that waits for the token. */
  readonly beside: string
}

interface Told {
  readonly beside: string
  readonly grant: Grant
}

/** A tab that waits while its user signs in in a new window, so that nothing entered is lost. */
export interface Waiting {
  /** Opens the window. Throws AisleError if the browser blocks it. */
  open(issuer: string): void
  end(): void
}

/** Calls `onGrant` with the token once the user has signed in in the window. */
export function waitBeside(onGrant: (grant: Grant) => void): Waiting {
  const beside = randomText()
  const channel = new BroadcastChannel(NAME)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.beside === beside) onGrant(data.grant)
  })
  return {
    open(issuer) {
      // A new window starts with a copy of this tab's session storage.
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

/** In such a window, navigates to the issuer; returns undefined in any other. Throws AisleError. */
export function leaveBeside(): Promise<void> | undefined {
  const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Wish | null
  if (kept === null || window.name !== kept.beside) return undefined
  sessionStorage.removeItem(NAME)
  return leaveToSignIn(kept.issuer, kept.beside)
}

/** Sends the token to the waiting tab, and closes this window. */
export function tellBeside(beside: string, grant: Grant): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage({ beside, grant } satisfies Told)
  channel.close()
  window.close()
}
