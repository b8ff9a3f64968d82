import { type Collection, collection } from '../elastic/collection.ts'
import { limits } from '../limits.ts'
import type { CallerOrganization, Services } from '../operation.ts'
import type { Reencrypt } from '../platform/secrets.ts'
import type { AnyExtension, Manifest } from './contract.ts'
import { originOf } from './destinations.ts'
import { remoteExtension } from './remote.ts'

/** A remote extension that somebody registered, as it is stored. */
export interface RegisteredExtension {
  readonly id: string
  readonly created: string
  readonly registration: Registration
}

export interface Registration {
  readonly manifestUrl: string
  readonly manifest: Manifest
  /** The base address of its calls. */
  readonly url: string
  /** Whether its calls went to another origin before. */
  readonly moved?: boolean
  /** The sealed secret that signs its calls. */
  readonly secret: string
  readonly username: string
  readonly updated: string
}

/** The home of extensions that an operator registered for all organizations. */
export const ALL_ORGANIZATIONS = '*'

/** The extensions registered by an organization, or for all of them. */
export const registrationsOf = (
  { elastic }: Pick<Services, 'elastic'>,
  home: string,
): Collection<RegisteredExtension> =>
  collection<RegisteredExtension>(elastic, { kind: 'extensions', scope: [home] })

/** The part of a secret's seal that identifies the registration. */
export const secretContext = (home: string, id: string): string[] => [home, 'extension', id]

/**
 * Where an organization's extensions are registered: its own before its parent's, and those before
 * the ones for all organizations. A parent's installation never sees what its child registered.
 */
export const registrationHomes = (organization: string, parent: string | null): string[] =>
  [organization, parent, ALL_ORGANIZATIONS].filter((home) => home !== null)

const remoteOf = (
  services: Services,
  home: string,
  { id, registration }: RegisteredExtension,
): AnyExtension => ({
  registered: registration.updated,
  origin: originOf(registration.url)!,
  moved: registration.moved ?? false,
  ...remoteExtension(registration.manifest, {
    name: registration.manifest.name,
    url: registration.url,
    fields: registration.manifest.fields,
    secret: () => services.secrets.open(registration.secret, secretContext(home, id)),
  }),
})

/** Seals the secret of a registration with the current key. */
export function reencryptRegistration(
  { registration, ...rest }: RegisteredExtension,
  home: string,
  reencrypt: Reencrypt,
): RegisteredExtension {
  const secret = reencrypt(registration.secret, secretContext(home, rest.id))
  return { ...rest, registration: { ...registration, secret } }
}

/** The first registration with this id in these homes, and its home. */
export async function findRegistration(
  services: Pick<Services, 'elastic'>,
  { homes, id, signal }: { homes: readonly string[]; id: string; signal?: AbortSignal },
) {
  for (const home of homes) {
    const found = await registrationsOf(services, home).get(id, { signal })
    if (found) return { home, registered: found.source }
  }
  return undefined
}

/** The first registered extension with this id in these homes. */
export async function findRegistered(
  services: Services,
  where: { homes: readonly string[]; id: string; signal: AbortSignal },
): Promise<AnyExtension | undefined> {
  const found = await findRegistration(services, where)
  return found && remoteOf(services, found.home, found.registered)
}

/** An organization, for work that need not belong to a request. */
export interface OrganizationContext extends Services {
  readonly organization: Pick<CallerOrganization, 'id' | 'parent'>
  readonly signal: AbortSignal
}

/** The registered extensions that the organization in effect can install, by name. */
export async function registeredExtensions(ctx: OrganizationContext): Promise<AnyExtension[]> {
  const { organization, signal } = ctx
  const found = new Map<string, AnyExtension>()
  for (const home of registrationHomes(organization.id, organization.parent)) {
    const here = await registrationsOf(ctx, home).find(
      { size: limits.registeredExtensions + 1, sort: [{ created: 'asc' }, { id: 'asc' }] },
      { signal },
    )
    for (const one of here) if (!found.has(one.id)) found.set(one.id, remoteOf(ctx, home, one))
  }
  return [...found.values()]
}
