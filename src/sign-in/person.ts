import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { limits } from '../limits.ts'
import {
  MEMBER_ROLES,
  type MemberRole,
  type SignedInPerson,
} from '../organizations/organization.ts'
import { Username } from '../organizations/schemas.ts'
import { cut, lowerAscii } from '../text.ts'
import { grantIn, type RoleGrant, type SignInSettings } from './settings.ts'

/** The claims of every accepted token. */
export type Claims = JWTPayload & Required<Pick<JWTPayload, 'iss' | 'sub' | 'iat' | 'exp'>>

/** The bearer of a token, and what they may do. */
export interface Person extends SignedInPerson {
  readonly issuer: string
  readonly subject: string
  readonly isOperator: boolean
}

type PersonSettings = Pick<SignInSettings, 'rolesClaim' | 'meanings' | 'users'>

/** Reads the claims of a verified token. Claims of another type than expected are ignored. */
export function personOf(claims: Claims, settings: PersonSettings): Person {
  const { iss: issuer, sub: subject, iat } = claims
  const identity = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
  const email = settings.users.byEmail ? verifiedEmail(claims) : undefined
  const grants = textsIn(claimAt(claims, settings.rolesClaim)).flatMap((value) =>
    grantsOf(value, settings.meanings),
  )
  return {
    issuer,
    subject,
    identity,
    email,
    username: `${readableName(claims)}-${identity.slice(0, SHOWN)}`,
    firstName: shortText(claims.given_name),
    lastName: shortText(claims.family_name),
    since: Math.floor(iat),
    create: settings.users.create,
    isOperator: grants.includes('operator'),
    roles: rolesIn(grants),
  }
}

/** Hexadecimal digits of an identity that tell users of the same name apart. */
const SHOWN = 10
const NAME_LENGTH = 40

/** The claim of this name, else the one at this dotted path. */
function claimAt(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Record<string, unknown>)[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string')

function grantsOf(value: string, meanings: PersonSettings['meanings']): readonly RoleGrant[] {
  if (meanings) return meanings.get(value) ?? []
  const grant = grantIn(value)
  return grant ? [grant] : []
}

/** The strongest role in each organization. */
function rolesIn(grants: readonly RoleGrant[]): ReadonlyMap<string, MemberRole> {
  const roles = new Map<string, MemberRole>()
  for (const grant of grants) {
    if (grant === 'operator') continue
    const { organization, role } = grant
    const before = roles.get(organization)
    roles.set(organization, MEMBER_ROLES.findLast((one) => one === role || one === before)!)
  }
  return roles
}

/** A mail address that the issuer has verified, and that is a valid name of a user. */
function verifiedEmail({ email, email_verified: isVerified }: Claims): string | undefined {
  if (isVerified !== true || typeof email !== 'string') return undefined
  const name = Username.safeParse(lowerAscii(email))
  return name.success && name.data.includes('@') ? name.data : undefined
}

/** A readable name for a person, which others may have, too. */
function readableName({ preferred_username, email, name }: Claims): string {
  const [said = ''] = [preferred_username, email, name].filter((one) => typeof one === 'string')
  const [before] = (said as string).slice(0, limits.nameLength).normalize('NFC').split('@')
  const plain = before!.replace(/[^\p{L}\p{N}._-]+/gu, '').replace(/^[._-]+/, '')
  return [...plain].slice(0, NAME_LENGTH).join('') || 'user'
}

/** A first or last name, in the form of those of users. */
function shortText(value: unknown): string | null {
  const text = typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : ''
  return text === '' ? null : cut(text.toWellFormed(), limits.nameLength)
}
