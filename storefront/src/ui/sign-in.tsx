import { count, getCatalogs } from 'aisle-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../shop/failure.ts'
import { type Access, isPersons, signIn, signOut } from '../shop/session.ts'
import { useShop } from '../shop/shop.ts'
import { Icon } from './icons.tsx'

/** The sign-in page of a service without a demo catalog. */
export const SignInPage = () => (
  <main class="alone">
    <div class="sign">
      <span>Aisle</span>
    </div>
    <h1>Sign in to your catalog</h1>
    <p>
      Enter an API key to search your catalog. A search key is all you need. If you expected the
      demo store, it may still be loading: refresh this page in a minute.
    </p>
    <SignInForm onOpened={() => location.reload()} />
    <p>
      No catalog yet? Create one from a file in the <a href="console">console</a>. To get a key, see
      the <a href="docs/interface.md">API guide</a> or try the <a href="docs">API reference</a>.
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
      <h2 id="sign-in">{session.isSignedIn ? 'You’re signed in' : 'Sign in with an API key'}</h2>
      {session.isSignedIn ? (
        <>
          <p>
            You’re viewing the catalog <strong>{session.access.catalog}</strong> with your API key.
            You’ll stay signed in until you close every tab of this store.
          </p>
          <button type="button" class="button" onClick={leave}>
            {settings.demo ? 'Back to demo store' : 'Sign out'}
          </button>
        </>
      ) : (
        <>
          <p>
            Sign in to shop your own catalog. With a personal key you can also save lists, favorites
            and notes, and see why results rank as they do. Your key stays in this store’s tabs and
            is sent only to this service.
          </p>
          <SignInForm onOpened={() => location.assign('./')} />
        </>
      )}
    </dialog>
  )
}

type Owner = Omit<Access, 'catalog'>

/** The catalogs of a user's key; undefined if the key cannot list them. */
async function catalogsOf(owner: Owner): Promise<readonly string[] | undefined> {
  if (!isPersons(owner.key)) return undefined
  const { catalogs } = await getCatalogs(owner)
  return catalogs.filter(({ active }) => active).map(({ name }) => name)
}

function SignInForm({ onOpened }: { onOpened(): void }) {
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  // The catalogs to choose from, if the key has access to several.
  const [choices, setChoices] = useState<readonly string[]>([])
  const enter = async (form: HTMLFormElement): Promise<string> => {
    const text = (name: string) => String(new FormData(form).get(name) ?? '').trim()
    const organization = text('organization')
    const owner: Owner = { key: text('key'), ...(organization ? { organization } : {}) }
    const all = text('catalog') ? undefined : await catalogsOf(owner)
    const catalog = text('catalog') || (all?.length === 1 ? all[0]! : '')
    if (catalog === '') {
      setChoices(all ?? [])
      if (!all) return 'Enter a catalog name. This key can’t list catalogs.'
      return all.length === 0
        ? 'This key doesn’t have access to any catalogs.'
        : 'Choose a catalog.'
    }
    await count(owner, { catalog })
    signIn({ ...owner, catalog, isMember: isPersons(owner.key) })
    onOpened()
    return ''
  }
  const open = async (form: HTMLFormElement) => {
    setBusy(true)
    setProblem(await enter(form).catch(messageOf))
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
          Catalog <small>Optional with a personal key</small>
          <input name="catalog" maxLength={100} autoComplete="off" />
        </label>
      )}
      <label>
        Organization <small>Only for operator keys</small>
        <input name="organization" maxLength={200} autoComplete="off" />
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button is-main" disabled={busy}>
        Open catalog
      </button>
    </form>
  )
}
