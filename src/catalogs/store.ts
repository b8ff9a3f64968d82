import { all, none } from '../elastic/clauses.ts'
import { type OwnIndex, PRODUCTS } from '../elastic/own-index.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import type { Query } from '../elastic/search.ts'
import { answerTooLarge } from '../elastic/too-large.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { limits } from '../limits.ts'
import { type Context, type KeyBounds, ROLES, type Role, type Services } from '../operation.ts'
import { rootOf } from '../platform/load-owner.ts'
import {
  type CatalogDocument,
  CatalogNotFound,
  type FoundCatalog,
  type KnownIndex,
  lookUpCatalog,
} from './look-up.ts'
import type { Catalog } from './schemas.ts'

export { type CatalogDocument, type CatalogMove, cacheId, catalogsOf } from './look-up.ts'

/** Identifies a catalog. */
export type CatalogPlace = Pick<CatalogScope, 'owner' | 'name'>

/** The catalog that a task was queued for, as a part of its input. */
export interface TaskCatalog {
  readonly catalog: string
  /** When it was created. Absent in tasks of earlier versions. */
  readonly catalogCreated?: string
}

/** Identifies a catalog and the index of its products. */
export type ProductPlace = Pick<CatalogScope, 'owner' | 'name' | 'created' | 'index' | 'known'>

/** A catalog that the caller may see; only this module creates one, so nobody names an owner. */
export interface CatalogScope {
  readonly owner: string
  readonly name: string
  /** The catalog's own index; null: the shared one. */
  readonly index: OwnIndex | null
  /** When it was created, which tells it from a later catalog of the same name. */
  readonly created?: string
  /** How the index was found; absent where it cannot change. */
  readonly known?: KnownIndex
  readonly checkRealtime: boolean
  /** The vendor of imported prices that name none; null: the organization's. */
  readonly defaultVendor?: string | null
  readonly language: Language
  /** The search field of the price list in effect; absent: general prices. */
  readonly priceField?: string | undefined
  /** Which products and fields a search key may see; absent: all. */
  readonly bounds?: CatalogBounds | undefined
}

export interface CatalogBounds extends Pick<KeyBounds, 'filters' | 'hide'> {
  /** The organization whose annotations the filters compare. */
  readonly organization: string
  readonly username: string
}

/** The place of a catalog's products: one shard of the shared index, or all shards of its own. */
export const productPlaceOf = ({
  owner,
  name,
  index,
}: Pick<ProductPlace, 'owner' | 'name' | 'index'>) => ({
  kind: index?.kind ?? PRODUCTS,
  scope: [owner, name],
  ...(index ? { shards: index.shards } : { routed: true }),
})

/** Id of the document with a catalog's search settings. */
export const SEARCH_SETTINGS = 'settings'

/** The place of that document. */
export const searchSettingsPlaceOf = ({ owner, name }: Pick<CatalogScope, 'owner' | 'name'>) => ({
  kind: 'search-settings',
  scope: [owner, name],
})

/** Id of the document with a catalog's price lists. */
export const PRICE_LISTS = 'lists'

/** The place of that document. */
export const priceListsPlaceOf = ({ owner, name }: Pick<CatalogScope, 'owner' | 'name'>) => ({
  kind: 'price-lists',
  scope: [owner, name],
})

const toCatalog = (catalog: CatalogDocument): Catalog => {
  const { name, description, active, checkRealtime, defaultVendor, language, ownIndex } = catalog
  return {
    name,
    description,
    active,
    checkRealtime,
    ...(defaultVendor ? { defaultVendor } : {}),
    ...(language ? { language } : {}),
    ...(ownIndex ? { shards: ownIndex.shards } : {}),
  }
}

const LISTED_AT_ONCE = 1_000

/** Catalogs of these organizations, except those being deleted. */
export const ownedBy = (owners: readonly string[]): Query =>
  all([{ terms: { owner: [...owners] } }, none([{ exists: { field: 'deleted' } }])])!

/**
 * The catalogs that organizations own, by name, except those being deleted. A child's catalogs have
 * its parent's scope, so the filter by owner keeps tenants apart. Throws Invalid when there are too
 * many to answer.
 */
export async function catalogsByOwner(
  services: Services,
  owners: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Catalog[]>> {
  const found = new Map<string, Catalog[]>(owners.map((owner) => [owner, []]))
  let length = 0
  const batches = scanAllScopes<CatalogDocument>(services.elastic, 'catalogs', {
    query: ownedBy(owners),
    size: LISTED_AT_ONCE,
    sort: ['owner', 'name'],
    signal,
  })
  for await (const batch of batches) {
    for (const one of batch) {
      found.get(one.owner)?.push(toCatalog(one))
      length += one.name.length + (one.description?.length ?? 0)
    }
    if (length > limits.answerBytes) throw answerTooLarge()
  }
  return found
}

interface OpenCatalogOptions {
  /** Whether inactive catalogs are not found. */
  readonly active?: boolean
  /** When the catalog was created: a later one of the same name is not found. */
  readonly created?: string | undefined
}

/**
 * Opens a catalog of the organization or its parent for reading; null, absent or '' is the default
 * catalog.
 */
export async function openCatalog(
  ctx: Context,
  name: string | null | undefined,
  { active = false, created }: OpenCatalogOptions = {},
): Promise<CatalogScope> {
  const { catalog: found, ...known } = await findCatalog(ctx, name || defaultName(ctx))
  if (active && !found.active) throw new CatalogNotFound()
  if (created !== undefined && created !== found.created) throw new CatalogNotFound()
  const { owner, ownIndex, checkRealtime, defaultVendor, language = DEFAULT_LANGUAGE } = found
  const bounds = boundsOf(ctx)
  return {
    ...{ owner, name: found.name, created: found.created, index: ownIndex ?? null, known },
    ...{ checkRealtime, defaultVendor: defaultVendor ?? null, language },
    ...(bounds ? { bounds } : {}),
  }
}

/** Filters by tags use the key's own organization, whichever child it acts in. */
function boundsOf({ caller, organization }: Context): CatalogBounds | undefined {
  const { filters = [], hide = [] } = caller.bounds ?? {}
  if (caller.keyType !== 'search') return undefined
  const { boundTo, username } = caller
  return { filters, hide, organization: boundTo ?? organization.id, username }
}

/** A key that is bound to one catalog uses it by default. */
function defaultName({ caller, organization: { defaultCatalog } }: Context): string {
  const { catalogs } = caller.bounds ?? {}
  if (catalogs?.length === 1) return catalogs[0]!
  if (defaultCatalog) return defaultCatalog
  throw new Invalid('catalog: required because the organization has no default catalog')
}

async function findCatalog(ctx: Context, name: string): Promise<FoundCatalog> {
  const { caller, organization, signal } = ctx
  if (caller.bounds?.catalogs?.includes(name) === false) throw new CatalogNotFound()
  const found = await lookUpCatalog(ctx, { root: rootOf(organization), name }, { signal })
  const owner = found?.catalog.owner
  if (!found || (owner !== organization.id && owner !== organization.parent)) {
    throw new CatalogNotFound()
  }
  return found
}

interface WritableCatalogOptions extends OpenCatalogOptions {
  readonly role?: Role
  /** How the message for callers without the role begins. */
  readonly deed?: string
}

/** Like openCatalog, for callers with `role` in the owner. */
export async function writableCatalog(
  ctx: Context,
  name: string | null | undefined,
  { role = 'editor', deed = 'Writing', ...options }: WritableCatalogOptions = {},
): Promise<CatalogScope> {
  const scope = await openCatalog(ctx, name, options)
  const own = scope.owner === ctx.organization.id
  const held = own ? ctx.caller.role : ctx.caller.parentRole
  if (held === null || ROLES.indexOf(held) < ROLES.indexOf(role)) {
    throw new Forbidden(
      `${deed} the catalog ${scope.name} requires the role ${role} in the organization that owns it.`,
    )
  }
  return scope
}

/** The part of a task's input that names its catalog. */
export const taskCatalogOf = ({ name, created }: CatalogScope): TaskCatalog => ({
  catalog: name,
  ...(created === undefined ? {} : { catalogCreated: created }),
})

/** Opens the catalog of a task; one that was created later under the same name is not found. */
export const openTaskCatalog = (ctx: Context, { catalog, catalogCreated }: TaskCatalog) =>
  openCatalog(ctx, catalog, { created: catalogCreated })

/** Like openTaskCatalog, for tasks that write. */
export const writableTaskCatalog = (ctx: Context, { catalog, catalogCreated }: TaskCatalog) =>
  writableCatalog(ctx, catalog, { created: catalogCreated })
