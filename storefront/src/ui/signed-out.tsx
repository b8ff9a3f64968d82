import { count } from 'aisle-client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { waitBeside } from '../console/openid/beside.ts'
import { messageOf } from '../shop/failure.ts'
import type { Lapse } from '../shop/lapse.ts'
import { isPersons, type StoredAccess, signOut } from '../shop/session.ts'
import { useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'

/** Asks for another key after the visitor's expired; nothing typed is lost, and waiting requests continue. */
export function SignedOut() {
  const { lapse } = useShop()
  const now = useStore(lapse)
  return now ? <Again lapse={now} /> : null
}

function Again({ lapse }: { lapse: Lapse<StoredAccess> }) {
  const { session, settings } = useShop()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const enter = async (key: string) => {
    setBusy(true)
    setProblem(await take(key).catch(messageOf))
    setBusy(false)
  }
  const take = async (key: string): Promise<string> => {
    const given: StoredAccess = { ...session.access, key, isMember: session.isMember }
    if (session.isMember && !isPersons(key))
      return 'Enter a personal key to keep using lists and notes.'
    await count({ key, organization: given.organization }, { catalog: given.catalog })
    lapse.goOn(given)
    return ''
  }
  const waiting = useMemo(() => waitBeside(({ key }) => void enter(key)), [lapse])
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current?.showModal()
    return () => {
      waiting.end()
      before?.focus()
    }
  }, [waiting])
  const open = async (issuer: string) => waiting.open(issuer)
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="signed-out" onClose={lapse.leave}>
      <h2 id="signed-out">You’ve been signed out</h2>
      <p>
        Your API key or sign-in is no longer valid. Sign in to {session.access.catalog} again to
        pick up where you left off. Anything you typed is still here.
      </p>
      {session.isMember &&
        settings.signIn?.map((issuer) => (
          <button
            key={issuer}
            type="button"
            class="button"
            onClick={() => open(issuer).catch((error) => setProblem(messageOf(error)))}
          >
            Sign in with {new URL(issuer).host}
          </button>
        ))}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void enter(String(new FormData(event.currentTarget).get('key')).trim())
        }}
      >
        <label>
          API key
          <input name="key" type="password" required autoComplete="off" spellcheck={false} />
        </label>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="button is-main" disabled={busy}>
            Continue
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              signOut()
              location.assign('./')
            }}
          >
            {settings.demo ? 'Back to demo store' : 'Sign out'}
          </button>
        </div>
      </form>
    </dialog>
  )
}
