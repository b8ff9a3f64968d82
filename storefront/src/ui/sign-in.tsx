import { AisleError, count, getCatalogs } from 'aisle-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Access, isPersons, signIn, signOut } from '../shop/session.ts'
import { useShop } from '../shop/shop.ts'
import { Icon } from './icons.tsx'

/** Where there is no demo: the shop of whoever has a key. */
export const SignInPage = () => (
  <main class="alone">
    <div class="sign">
      <span>Aisle</span>
    </div>
    <h1>Open your catalog</h1>
    <p>
      This service shows no demo, or its first start is still loading it. Enter an API key to search
      your catalog here; a search key is enough.
    </p>
    <SignInForm onOpened={() => location.reload()} />
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
            The catalog {session.access.catalog} is shown with the key that you entered. It is
            forgotten when the last tab of this page is closed.
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
            and explains its results. The key stays in the tabs of this page, and goes to this
            service alone.
          </p>
          <SignInForm onOpened={() => location.assign('./')} />
        </>
      )}
    </dialog>
  )
}

type Owner = Omit<Access, 'catalog'>

/** The catalogs of a person's key; undefined where only their names would open them. */
async function catalogsOf(owner: Owner): Promise<readonly string[] | undefined> {
  if (!isPersons(owner.key)) return undefined
  const { catalogs } = await getCatalogs(owner)
  return catalogs.filter(({ active }) => active).map(({ name }) => name)
}

function SignInForm({ onOpened }: { onOpened(): void }) {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  // Of the key that was entered, where it reaches several.
  const [choices, setChoices] = useState<readonly string[]>([])
  const enter = async (form: HTMLFormElement): Promise<string> => {
    const text = (name: string) => String(new FormData(form).get(name) ?? '').trim()
    const organization = text('organization')
    const owner: Owner = { key: text('key'), ...(organization ? { organization } : {}) }
    const all = text('catalog') ? undefined : await catalogsOf(owner)
    const catalog = text('catalog') || (all?.length === 1 ? all[0]! : '')
    if (catalog === '') {
      setChoices(all ?? [])
      if (!all) return 'Name the catalog: a key like this one cannot list them.'
      return all.length === 0 ? 'This key reaches no catalog.' : 'Choose one of its catalogs.'
    }
    await count(owner, { catalog })
    signIn({ ...owner, catalog, isMember: isPersons(owner.key) })
    onOpened()
    return ''
  }
  const open = async (form: HTMLFormElement) => {
    setBusy(true)
    const failed = (error: unknown) =>
      error instanceof AisleError ? error.message : 'Something went wrong here.'
    setProblem(await enter(form).catch(failed))
    setBusy(false)
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
        <input
          name="key"
          type="password"
          required
          autoComplete="off"
          spellcheck={false}
          onInput={() => setChoices([])}
        />
      </label>
      {choices.length > 0 ? (
        <label>
          Catalog
          <select name="catalog" required>
            {choices.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ) : (
        <label>
          Catalog <small>may be left empty with a person’s key</small>
          <input name="catalog" maxLength={100} autoComplete="off" />
        </label>
      )}
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
