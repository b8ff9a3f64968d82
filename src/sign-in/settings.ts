import { StartupFailure } from '../errors.ts'
import { isOrganizationId, MEMBER_ROLES, type MemberRole } from '../organizations/organization.ts'
import { parseUrl } from '../platform/parse-url.ts'
import { splitTrimmed } from '../text.ts'

/** What a value of the roles claim gives: a role in an organization, or that of operators. */
export type RoleGrant = 'operator' | { readonly organization: string; readonly role: MemberRole }

/** Settings for signing in with tokens of issuers. */
export interface SignInSettings {
  /** Issuers, as tokens name them in `iss`. */
  readonly issuers: readonly string[]
  /** Audiences, one of which is in `aud` of each token. */
  readonly audiences: readonly string[]
  /** The client id of the console and the scope it requests; null: nobody signs in there. */
  readonly client: { readonly id: string; readonly scope: string } | null
  /** Name of the claim, or a dotted path to it. */
  readonly rolesClaim: string
  /** The roles that its values stand for; null: values name roles themselves, as `acme:editor`. */
  readonly meanings: ReadonlyMap<string, readonly RoleGrant[]> | null
  readonly users: UserSettings
}

/** How somebody who signs in becomes a user of an organization. */
interface UserSettings {
  /** Whether a person is the user whose name is their verified mail address. */
  readonly byEmail: boolean
  /** Whether a person becomes a user at their first sign-in. */
  readonly create: boolean
}

/** The settings as texts from the environment. */
export interface SignInTexts {
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly clientId: string | undefined
  readonly scope: string
  readonly rolesClaim: string
  readonly roles: string | undefined
  readonly users: string | undefined
}

/** Parses the settings; undefined without an issuer. Throws StartupFailure. */
export function signInSettings(texts: SignInTexts): SignInSettings | undefined {
  const { clientId, scope, rolesClaim } = texts
  const issuers = listed(texts.issuer)
  if (issuers.length === 0) return undefined
  for (const issuer of issuers) checkIssuer(issuer)
  const audiences = listed(texts.audience ?? texts.clientId)
  if (audiences.length === 0) {
    throw new StartupFailure(
      'OIDC_ISSUER requires OIDC_CLIENT_ID, or OIDC_AUDIENCE if only scripts send tokens.',
    )
  }
  if (!scope.split(' ').includes('openid')) {
    throw new StartupFailure('OIDC_SCOPE must contain openid, as in "openid profile email".')
  }
  const client = clientId === undefined ? null : { id: clientId, scope }
  const meanings = texts.roles === undefined ? null : meaningsIn(texts.roles)
  return { issuers, audiences, client, rolesClaim, meanings, users: usersOf(texts.users) }
}

const listed = (text = ''): string[] => splitTrimmed(text, ',')

function checkIssuer(issuer: string): void {
  const url = parseUrl(issuer)
  const isPlain = url?.search === '' && url.hash === '' && url.username === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return
  throw new StartupFailure(
    `OIDC_ISSUER: ${issuer} is not a URL such as https://login.example/realms/shop.`,
  )
}

function usersOf(text: string | undefined): UserSettings {
  const wanted = listed(text)
  const known = wanted.filter((one) => one === 'create' || one === 'email')
  if (wanted.length === 0 || known.length < wanted.length) {
    throw new StartupFailure(
      'OIDC_USERS must be create (anyone with a role becomes a user), email (users whose name is their verified email address), or email,create.',
    )
  }
  return { byEmail: known.includes('email'), create: known.includes('create') }
}

/**
 * Parses `value=organization:role` and `value=operator`, separated by commas. Throws
 * StartupFailure.
 */
function meaningsIn(text: string): ReadonlyMap<string, readonly RoleGrant[]> {
  const meanings = new Map<string, readonly RoleGrant[]>()
  for (const entry of listed(text)) {
    const at = entry.lastIndexOf('=')
    const value = entry.slice(0, Math.max(0, at)).trim()
    const meaning = entry.slice(at + 1).trim()
    const grant = meaning === 'operator' ? meaning : grantIn(meaning)
    if (value === '' || grant === undefined) {
      throw new StartupFailure(
        `OIDC_ROLES: ${entry} is not value=organization:role, with one of ${MEMBER_ROLES.join(', ')}, and not value=operator.`,
      )
    }
    meanings.set(value, [...(meanings.get(value) ?? []), grant])
  }
  return meanings
}

/** Parses `organization:role`; undefined for other text. */
export function grantIn(text: string): Exclude<RoleGrant, string> | undefined {
  const [organization = '', role, ...rest] = text.split(':')
  const known = MEMBER_ROLES.find((one) => one === role)
  if (rest.length > 0 || known === undefined || !isOrganizationId(organization)) return undefined
  return { organization, role: known }
}
