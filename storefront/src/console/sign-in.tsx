import { AisleError, type Connection, createOrganization, getOrganizations } from 'aisle-client'
import { useEffect, useState } from 'preact/hooks'
import { type Grant, leaveToSignIn, loadIssuers } from './openid/tokens.ts'
import { Field, valuesOf } from './parts/field.tsx'
import { type Action, ActionStatus, useAction } from './parts/use-action.tsx'
import type { Signed } from './session.ts'
import type { Organization } from './types.ts'

interface Reached {
  readonly connection: Connection
  readonly organizations: readonly Organization[]
}

interface SignInProps {
  /** Exchanges the code of a redirect from an issuer for a token. */
  readonly returned?: (() => Promise<Grant>) | undefined
  onSigned(signed: Signed): void
}

/** Asks for a key or an identity provider, then for the organization if there are several. */
export function SignIn({ returned, onSigned }: SignInProps) {
  const [choice, setChoice] = useState<Reached & { readonly grant: Grant }>()
  const action = useAction()
  const enter = (grantOf: () => Promise<Grant>, reachedBy = listOrganizations) =>
    action.run(async () => {
      const grant = await grantOf()
      const connection = { key: grant.key }
      const organizations = await reachedBy(connection)
      const [only, ...others] = organizations
      if (only && others.length === 0) onSigned({ ...grant, organization: only.id })
      else setChoice({ connection, organizations, grant })
      return undefined
    })
  useEffect(() => {
    if (returned) void enter(returned)
  }, [returned])
  return (
    <main class="alone" id="main" tabIndex={-1}>
      <div class="sign">
        <span>Aisle</span>
      </div>
      <h1>Console</h1>
      {choice && (
        <ChooseOrganization
          reached={choice}
          onChosen={(organization) => onSigned({ ...choice.grant, organization })}
        />
      )}
      {!choice && returned && action.busy && (
        <p class="loading" role="status">
          Signing you in…
        </p>
      )}
      {!choice && !(returned && action.busy) && (
        <>
          <p>Import products, tune search and see what shoppers look for.</p>
          <ChooseIssuer action={action} onIssuer={(issuer) => leaveToSignIn(issuer)} />
          <EnterKey action={action} onKey={(key) => enter(async () => ({ key }), reachedByKey)} />
        </>
      )}
    </main>
  )
}

interface IssuerProps {
  readonly action: Action
  onIssuer(issuer: string): Promise<void>
}

/** A button for each identity provider; nothing if there are none. */
export function ChooseIssuer({ action, onIssuer }: IssuerProps) {
  const [issuers, setIssuers] = useState<readonly string[]>([])
  useEffect(() => {
    // If they cannot be loaded, a key can still be entered.
    loadIssuers().then(setIssuers, () => undefined)
  }, [])
  if (issuers.length === 0) return null
  const leave = (issuer: string) =>
    action.run(async () => {
      await onIssuer(issuer)
      return undefined
    })
  return (
    <ul class="choices" aria-label="Sign in with">
      {issuers.map((issuer) => (
        <li key={issuer}>
          <button
            type="button"
            class="button is-main"
            disabled={action.busy}
            onClick={() => leave(issuer)}
          >
            Sign in with {new URL(issuer).host}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** HTTP headers cannot carry other characters. */
const SENDABLE = /^[\x21-\x7e]+$/

const listOrganizations = async (connection: Connection): Promise<readonly Organization[]> =>
  (await getOrganizations(connection)).organizations

async function reachedByKey(connection: Connection): Promise<readonly Organization[]> {
  try {
    return await listOrganizations(connection)
  } catch (error) {
    if (!(error instanceof AisleError) || error.status !== 401) throw error
    throw new AisleError(401, 'This key is invalid, disabled or expired.')
  }
}

interface KeyProps {
  readonly action: Action
  onKey(key: string): Promise<void>
}

export function EnterKey({ action, onKey }: KeyProps) {
  const enter = (form: HTMLFormElement) => {
    const key = valuesOf(form)('key')
    if (SENDABLE.test(key)) return onKey(key)
    return action.run(() => Promise.reject(new AisleError(400, 'This is not an Aisle API key.')))
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void enter(event.currentTarget)
      }}
    >
      <Field
        label="API key"
        hint="An administrator’s key, or the operator key printed at first start. It is kept in this tab only and sent only to this service."
      >
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
      <ActionStatus action={action} />
      <button type="submit" class="button is-main" disabled={action.busy}>
        Sign in
      </button>
    </form>
  )
}

interface ChooseProps {
  readonly reached: Reached
  onChosen(organization: string): void
}

/** Selects an organization of the key; operators can create one. */
export function ChooseOrganization({ reached, onChosen }: ChooseProps) {
  const { connection, organizations } = reached
  const action = useAction()
  const create = (form: HTMLFormElement) =>
    action.run(async () => {
      const name = valuesOf(form)('name')
      onChosen((await createOrganization(connection, { name })).id!)
      return undefined
    })
  return (
    <>
      {organizations.length > 0 && (
        <>
          <p>Choose an organization.</p>
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
          hint="Requires an operator key. Each organization has its own catalogs, users and keys."
          problem={action.at('name')}
        >
          {(input) => <input {...input} name="name" required maxLength={200} autoComplete="off" />}
        </Field>
        <ActionStatus action={action} fields={['name']} />
        <button type="submit" class="button is-main" disabled={action.busy}>
          Create organization
        </button>
      </form>
    </>
  )
}
