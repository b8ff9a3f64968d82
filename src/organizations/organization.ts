import { type CallerOrganization, type CreditTerms, ROLES, type Role } from '../operation.ts'
import { lowerAscii } from '../text.ts'

/** The name of operators: no member of any organization has it. */
export const OPERATOR = 'operator'

/** Roles that an organization gives; `operator` stands above organizations. */
export const MEMBER_ROLES = ['viewer', 'editor', 'administrator'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

export interface Member {
  readonly username: string
  readonly role: MemberRole
  readonly firstName: string | null
  readonly lastName: string | null
  /** New each time the user joins, so that keys of an earlier membership stay dead. */
  readonly membership: string
  /** The person who signs in as this user; absent before their first sign-in. */
  readonly identity?: MemberIdentity | null
}

interface MemberIdentity {
  /** SHA-256 of issuer and subject, hexadecimal. */
  readonly hash: string
  /** When the token that gave the role was issued, in seconds since the epoch. */
  readonly since: number
}

/** A person who signed in by a token, as organizations see them. */
export interface SignedInPerson {
  /** SHA-256 of issuer and subject, hexadecimal. */
  readonly identity: string
  /** The verified mail address, if users are identified by it. */
  readonly email: string | undefined
  /** A name that is given to nobody else. */
  readonly username: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** When their token was issued, in seconds since the epoch. */
  readonly since: number
  /** The roles that the token gives, by the id of the organization. */
  readonly roles: ReadonlyMap<string, MemberRole>
  /** Whether they become a user if they are not one yet. */
  readonly create: boolean
}

export interface Configuration {
  readonly name: string
  readonly description: string | null
  readonly defaultValue: string | null
  readonly protected: boolean
  readonly dataType: string | null
}

export interface Organization {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  readonly defaultCatalog: string | null
  readonly logo: string | null
  readonly configurations: readonly Configuration[]
  readonly users: readonly Member[]
  readonly userLimit: number | null
  readonly catalogLimit: number | null
  readonly licensedUserCount: number
  readonly searchCredits: number | null
  readonly additionalCreditBundle: number
  readonly additionalCreditCost: number
  readonly created: string
}

/** An organization and its parent, whose roles also apply in it. */
export interface Family {
  readonly organization: Organization
  readonly parent: Organization | null
}

/** Excludes `*` and `.`, which in a source filter would reach other organizations' annotations. */
export const ORGANIZATION_ID = /^[a-z0-9][a-z0-9-]{0,63}$/

export const isOrganizationId = (text: string): boolean => ORGANIZATION_ID.test(text)

/** Characters of the texts of its users and configurations. */
export const textLength = ({ users, configurations }: Organization): number =>
  users.reduce((sum, user) => sum + lengths(user.username, user.firstName, user.lastName), 0) +
  configurations.reduce(
    (sum, one) => sum + lengths(one.name, one.description, one.defaultValue, one.dataType),
    0,
  )

const lengths = (...texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)

export const memberOf = (organization: Organization | null, username: string): Member | undefined =>
  organization?.users.find((user) => user.username === username)

/**
 * The user of a person who signed in: the one with their identity, else one with their mail address
 * and no identity yet.
 */
export const memberFor = (
  { users }: Organization,
  { identity, email }: SignedInPerson,
): Member | undefined =>
  users.find((user) => user.identity?.hash === identity) ??
  (email === undefined
    ? undefined
    : users.find((user) => !user.identity && lowerAscii(user.username) === email))

/** The membership in the organization, else in its parent; undefined for a stranger. */
export const membershipIn = (family: Family, username: string): Member | undefined =>
  memberOf(family.organization, username) ?? memberOf(family.parent, username)

/** The stronger of the roles in the organization and in its parent; null for a stranger. */
export function roleIn({ organization, parent }: Family, username: string): Role | null {
  return strongest([memberOf(organization, username)?.role, memberOf(parent, username)?.role])
}

/** Like roleIn, for roles given by a token. */
export const roleGiven = (
  { organization, parent }: Family,
  { roles }: Pick<SignedInPerson, 'roles'>,
): Role | null => strongest([roles.get(organization.id), parent ? roles.get(parent.id) : undefined])

const strongest = (roles: readonly (MemberRole | undefined)[]): Role | null =>
  ROLES.findLast((role) => roles.includes(role as MemberRole)) ?? null

/** The limit on searches: the organization's own, else its parent's; null without any. */
function creditsOf({ organization, parent }: Family): CreditTerms | null {
  const payer = organization.searchCredits === null ? parent : organization
  if (payer === null || payer.searchCredits === null) return null
  return {
    account: payer.id,
    perMonth: payer.searchCredits,
    bundle: payer.additionalCreditBundle,
    bundleCost: payer.additionalCreditCost,
  }
}

/** Values of configurations: the organization's own where it has any, else its parent's. */
function configuredBy(family: Family | undefined, isMeant: (name: string) => boolean): string[] {
  const [own, parents] = [family?.organization, family?.parent].map((one) =>
    (one?.configurations ?? [])
      .filter(({ name, defaultValue }) => isMeant(name) && defaultValue)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ defaultValue }) => defaultValue!),
  )
  return own!.length > 0 ? own! : parents!
}

/** The value of a configuration. */
export const configured = (family: Family | undefined, wanted: string): string | null =>
  configuredBy(family, (name) => name === wanted)[0] ?? null

/** Values of the configurations whose names begin with `prefix`, in the order of their names. */
export const configuredTexts = (family: Family | undefined, prefix: string): string[] =>
  configuredBy(family, (name) => name.startsWith(prefix))

/** An organization as the one in effect, with the settings of its parent where it has none. */
export function effectiveOrganization(family: Family): CallerOrganization {
  const { organization, parent } = family
  return {
    id: organization.id,
    parent: organization.parent,
    name: organization.name,
    defaultCatalog: organization.defaultCatalog ?? parent?.defaultCatalog ?? null,
    catalogLimit: organization.catalogLimit,
    credits: creditsOf(family),
  }
}
