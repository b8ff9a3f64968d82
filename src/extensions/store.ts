import { present, term } from '../elastic/clauses.ts'
import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import type { Query } from '../elastic/search.ts'
import { Forbidden, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerOrganization, Context, Services } from '../operation.ts'
import type { ExtensionKind } from './contract.ts'
import {
  type Installation,
  type Installed,
  isVisibleTo,
  type StoredValues,
} from './installation.ts'

/** The installations of one organization. */
export const installationsOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<Installation> =>
  collection<Installation>(elastic, { kind: 'installations', scope: [organization] })

/** Values shared by the installations of an organization, by sharedName. */
export interface SharedValues {
  readonly id: 'shared'
  readonly kind: 'shared'
  readonly values: StoredValues
}

export const sharedValuesOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<SharedValues> =>
  collection<SharedValues>(elastic, { kind: 'installations', scope: [organization] })

export const SHARED = 'shared'

/** An organization uses its own installations and its parent's. */
const installersFor = ({ id, parent }: CallerOrganization): string[] =>
  parent === null ? [id] : [id, parent]

const isInstallation: Query = { exists: { field: 'extension' } }

/** All installations of an organization, those of single users included, oldest first. */
export async function installationsIn(
  services: Pick<Services, 'elastic'>,
  organization: string,
  { filter = [], signal }: { filter?: Query[]; signal?: AbortSignal } = {},
): Promise<Installed[]> {
  const found = await installationsOf(services, organization).find(
    {
      size: limits.installations + 1,
      sort: [{ created: 'asc' }, { id: 'asc' }],
      query: { bool: { filter: [isInstallation, ...filter] } },
    },
    { signal },
  )
  return found.map((installation) => ({ ...installation, organization }))
}

interface InstallationFilter {
  readonly kind?: ExtensionKind
  readonly enabled?: boolean
}

/** The installations of the organization in effect and its parent, for any user. */
export async function allInstallations(
  ctx: Context,
  { kind, enabled }: InstallationFilter = {},
): Promise<Installed[]> {
  const filter = present([
    kind && term('kind', kind),
    enabled === undefined ? undefined : term('enabled', enabled),
  ])
  const options = { filter, signal: ctx.signal }
  const found = await Promise.all(
    installersFor(ctx.organization).map((one) => installationsIn(ctx, one, options)),
  )
  return found.flat()
}

/** Installations that the caller may use, oldest first. */
export const visibleInstallations = async (
  ctx: Context,
  filter?: InstallationFilter,
): Promise<Installed[]> =>
  (await allInstallations(ctx, filter)).filter((one) => isVisibleTo(ctx, one))

/** An installation of an organization, including personal ones of other users. */
export const findAnyInstallation = async (
  ctx: Context,
  organization: string,
  id: string,
): Promise<Stored<Installation> | undefined> =>
  id === SHARED ? undefined : installationsOf(ctx, organization).get(id, { signal: ctx.signal })

/** Finds an installation that the caller may use, without the cache. Throws NotFound. */
export async function findInstallation(
  ctx: Context,
  id: string,
  kind?: ExtensionKind,
): Promise<Installed> {
  for (const organization of installersFor(ctx.organization)) {
    const found = await findAnyInstallation(ctx, organization, id)
    if (!found || (kind !== undefined && found.source.kind !== kind)) continue
    const installed = { ...found.source, organization }
    if (isVisibleTo(ctx, installed)) return installed
  }
  throw new NotFound('Extension')
}

/**
 * Like `findInstallation`, but only in the caller's own organization, for a change. Also throws
 * Forbidden.
 */
export async function changeableInstallation(ctx: Context, id: string): Promise<Installed> {
  const found = await findInstallation(ctx, id)
  if (found.organization === ctx.organization.id) return found
  throw new Forbidden(
    `The extension was installed by ${found.organization} and can only be changed there.`,
  )
}
