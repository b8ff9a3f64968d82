import { AisleError, count } from 'aisle-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Access, type Settings, signIn, signOut } from '../shop/session.ts'
import { useShop } from '../shop/shop.ts'
import { Icon } from './icons.tsx'

/** Where there is no demo: the shop of whoever has a key. */
export const SignInPage = ({ settings }: { settings: Settings }) => (
  <main class="alone">
    <div class="sign">
      <span>Aisle</span>
    </div>
    <h1>Open your catalog</h1>
    <p>
      This service shows no demo. Enter an API key and the name of a catalog to search it here; a
      search key is enough.
    </p>
    <SignInForm catalog={settings.demo?.catalog ?? ''} />
    <p>
      No catalog yet? The <a href="console">console</a> makes one of a file of yours.{' '}
      <a href="docs/interface.md">The interface</a> tells how to make keys, and{' '}
      <a href="docs">every operation</a> can be tried.
    </p>
  </main>
)

export function SignInDialog({ onClose }: { onClose: () => void }) {
  const { session, settings } = useShop()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const leave = () => {
    signOut()
    location.assign('./')
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="sign-in" onClose={onClose}>
      <button
        type="button"
        class="close"
        aria-label="Close"
        onClick={() => dialog.current?.close()}
      >
        <Icon name="close" />
      </button>
      <h2 id="sign-in">{session.isSignedIn ? 'Signed in' : 'Sign in with a key'}</h2>
      {session.isSignedIn ? (
        <>
          <p>
            The catalog {session.access.catalog} is shown with the key of this tab. It is forgotten
            when the tab is closed.
          </p>
          <button type="button" class="button" onClick={leave}>
            {settings.demo ? 'Back to the demo' : 'Sign out'}
          </button>
        </>
      ) : (
        <>
          <p>
            The demo is searched with a key that may only search. With a key of your own this page
            shows your own catalog; with a person’s key it also keeps lists, favorites and notes,
            and explains its results. The key stays in this tab, and goes to this service alone.
          </p>
          <SignInForm catalog={settings.demo?.catalog ?? ''} />
        </>
      )}
    </dialog>
  )
}

/** Keys for pages, imports and sessions say so in their beginning. */
const isPersons = (key: string): boolean => !/^aisle_(search|import|session|signed)_/.test(key)

function SignInForm({ catalog }: { catalog: string }) {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const open = async (form: HTMLFormElement) => {
    const text = (name: string) => String(new FormData(form).get(name) ?? '').trim()
    const organization = text('organization')
    const access: Access = {
      key: text('key'),
      catalog: text('catalog'),
      ...(organization ? { organization } : {}),
    }
    setBusy(true)
    try {
      await count(access, { catalog: access.catalog })
      signIn({ ...access, isMember: isPersons(access.key) })
      location.assign('./')
    } catch (error) {
      setProblem(error instanceof AisleError ? error.message : 'This key cannot be sent.')
      setBusy(false)
    }
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void open(event.currentTarget)
      }}
    >
      <label>
        API key
        <input name="key" type="password" required autoComplete="off" spellcheck={false} />
      </label>
      <label>
        Catalog
        <input name="catalog" required maxLength={100} defaultValue={catalog} autoComplete="off" />
      </label>
      <label>
        Organization <small>only for keys of an operator</small>
        <input name="organization" maxLength={200} autoComplete="off" />
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button is-main" disabled={busy}>
        Open the catalog
      </button>
    </form>
  )
}
