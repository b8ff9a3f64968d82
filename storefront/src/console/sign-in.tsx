import { AisleError, createOrganization, getOrganizations } from 'aisle-client'
import { useState } from 'preact/hooks'
import { Field, valuesOf } from './parts/field.tsx'
import { Told, useDeed } from './parts/use-deed.tsx'
import type { Signed } from './session.ts'
import type { Organization } from './types.ts'

interface Reached {
  readonly key: string
  readonly organizations: readonly Organization[]
}

/** Asks for a key, and where it reaches several organizations for which one. */
export function SignIn({ onSigned }: { onSigned(signed: Signed): void }) {
  const [reached, setReached] = useState<Reached>()
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <div class="sign">
        <span>Aisle</span>
      </div>
      <h1>Console</h1>
      {reached ? (
        <ChooseOrganization
          reached={reached}
          onChosen={(organization) => onSigned({ key: reached.key, organization })}
        />
      ) : (
        <>
          <p>
            Import products, tune how they are found, and see what people look for. Sign in with an
            administrator’s key; the operator key that the first start printed works, too. It stays
            in this tab and goes to this service alone.
          </p>
          <EnterKey
            onReached={({ key, organizations }) => {
              const [only, ...others] = organizations
              if (only && others.length === 0) onSigned({ key, organization: only.id })
              else setReached({ key, organizations })
            }}
          />
        </>
      )}
    </main>
  )
}

/** Other signs cannot be sent in a header. */
const SENDABLE = /^[\x21-\x7e]+$/

async function reachedBy(key: string): Promise<readonly Organization[]> {
  try {
    return (await getOrganizations({ key })).organizations
  } catch (error) {
    if (!(error instanceof AisleError) || error.status !== 401) throw error
    throw new AisleError(401, 'This key is not valid, or it was disabled or has expired.')
  }
}

function EnterKey({ onReached }: { onReached(reached: Reached): void }) {
  const deed = useDeed()
  const enter = (form: HTMLFormElement) =>
    deed.run(async () => {
      const key = valuesOf(form)('key')
      if (!SENDABLE.test(key)) throw new AisleError(400, 'This is no key of Aisle.')
      onReached({ key, organizations: await reachedBy(key) })
      return undefined
    })
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void enter(event.currentTarget)
      }}
    >
      <Field label="API key">
        {(input) => (
          <input
            {...input}
            name="key"
            type="password"
            required
            autoComplete="off"
            spellcheck={false}
          />
        )}
      </Field>
      <Told deed={deed} />
      <button type="submit" class="button is-main" disabled={deed.busy}>
        Sign in
      </button>
    </form>
  )
}

interface ChooseProps {
  readonly reached: Reached
  onChosen(organization: string): void
}

/** One of those that the key reaches, or a new one where it is an operator's. */
export function ChooseOrganization({ reached: { key, organizations }, onChosen }: ChooseProps) {
  const deed = useDeed()
  const create = (form: HTMLFormElement) =>
    deed.run(async () => {
      const name = valuesOf(form)('name')
      onChosen((await createOrganization({ key }, { name })).id!)
      return undefined
    })
  return (
    <>
      {organizations.length > 0 && (
        <>
          <p>The key reaches several organizations.</p>
          <ul class="choices" aria-label="Organizations">
            {organizations.map(({ id, name }) => (
              <li key={id}>
                <button type="button" class="button" onClick={() => onChosen(id)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void create(event.currentTarget)
        }}
      >
        <Field
          label="New organization"
          hint="With an operator’s key. It keeps your catalogs, users and keys apart from others."
          problem={deed.at('name')}
        >
          {(input) => <input {...input} name="name" required maxLength={200} autoComplete="off" />}
        </Field>
        <Told deed={deed} fields={['name']} />
        <button type="submit" class="button is-main" disabled={deed.busy}>
          Create it
        </button>
      </form>
    </>
  )
}
