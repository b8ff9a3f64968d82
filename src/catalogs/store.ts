import { all, none } from '../elastic/clauses.ts'
import { type OwnIndex, PRODUCTS } from '../elastic/own-index.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import { Forbidden, Invalid, NotFound } from '../errors.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import {
  type CallerOrganization,
  type Context,
  type KeyBounds,
  ROLES,
  type Role,
  type Services,
} from '../operation.ts'
import {
  type CatalogDocument,
  type FoundCatalog,
  type KnownIndex,
  lookUpCatalog,
} from './look-up.ts'
import type { Catalog } from './schemas.ts'

export { type CatalogDocument, type CatalogMove, cacheId, catalogsOf } from './look-up.ts'

/** Which catalog it is. */
export type CatalogPlace = Pick<CatalogScope, 'owner' | 'name'>

/** Which catalog it is, and where its products lie. */
export type ProductPlace = Pick<CatalogScope, 'owner' | 'name' | 'index' | 'known'>

/** A catalog that the caller may see; only this module creates one, so nobody names an owner. */
export interface CatalogScope {
  readonly owner: string
  readonly name: string
  /** Where its products lie; null: in the index that catalogs share. */
  readonly index: OwnIndex | null
  /** Absent: it does not change. */
  readonly known?: KnownIndex
  readonly checkRealtime: boolean
  /** Whose prices imports bring that name no vendor; null: the organization's. */
  readonly defaultVendor?: string | null
  readonly language: Language
  /** In the search index: the price list that prices are looked at in; the general ones when absent. */
  readonly priceField?: string | undefined
  /** Which of its products, and what of them, are there for a search key; all for others. */
  readonly bounds?: CatalogBounds | undefined
}

export interface CatalogBounds extends Pick<KeyBounds, 'filters' | 'hide'> {
  /** Whose annotations the filters look at. */
  readonly organization: string
  readonly username: string
}

/** The place of a catalog's products: one shard of the shared index, or all of an own one. */
export const productPlaceOf = ({ owner, name, index }: Omit<ProductPlace, 'known'>) => ({
  kind: index?.kind ?? PRODUCTS,
  scope: [owner, name],
  ...(index ? { shards: index.shards } : { routed: true }),
})

/** The only document of what is set for the searches of a catalog. */
export const SEARCH_SETTINGS = 'settings'

/** Its place. */
export const searchSettingsPlaceOf = ({ owner, name }: Pick<CatalogScope, 'owner' | 'name'>) => ({
  kind: 'search-settings',
  scope: [owner, name],
})

/** The only document of the price lists of a catalog. */
export const PRICE_LISTS = 'lists'

/** Its place. */
export const priceListsPlaceOf = ({ owner, name }: Pick<CatalogScope, 'owner' | 'name'>) => ({
  kind: 'price-lists',
  scope: [owner, name],
})

type OrganizationIds = Pick<CallerOrganization, 'id' | 'parent'>

export const rootOf = ({ id, parent }: OrganizationIds): string => parent ?? id

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

const LISTED_AT_ONCE = 5_000

/**
 * The own catalogs of organizations by name, except those being deleted. A child's catalogs have its
 * parent's scope, so the owner is the tenant filter here.
 */
export async function catalogsByOwner(
  services: Services,
  owners: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Catalog[]>> {
  const found = new Map<string, Catalog[]>(owners.map((owner) => [owner, []]))
  const batches = scanAllScopes<CatalogDocument>(services.elastic, 'catalogs', {
    query: all([{ terms: { owner: [...owners] } }, none([{ exists: { field: 'deleted' } }])])!,
    size: LISTED_AT_ONCE,
    sort: ['owner', 'name'],
    signal,
  })
  for await (const batch of batches) {
    for (const one of batch) found.get(one.owner)?.push(toCatalog(one))
  }
  return found
}

/**
 * Opens a catalog of the organization or its parent for reading; null, absent or '' is the default
 * catalog. With `active`, inactive catalogs are not found.
 */
export async function openCatalog(
  ctx: Context,
  name: string | null | undefined,
  { active = false }: { active?: boolean } = {},
): Promise<CatalogScope> {
  const { catalog: found, ...known } = await findCatalog(ctx, name || defaultName(ctx))
  if (active && !found.active) throw new NotFound('Catalog')
  const { owner, ownIndex, checkRealtime, defaultVendor, language = DEFAULT_LANGUAGE } = found
  const bounds = boundsOf(ctx)
  return {
    ...{ owner, name: found.name, index: ownIndex ?? null, known },
    ...{ checkRealtime, defaultVendor: defaultVendor ?? null, language },
    ...(bounds ? { bounds } : {}),
  }
}

/** A key's own organization says by its tags what is there, whichever child the key looks into. */
function boundsOf({ caller, organization }: Context): CatalogBounds | undefined {
  const { filters = [], hide = [] } = caller.bounds ?? {}
  if (caller.keyType !== 'search') return undefined
  const { boundTo, username } = caller
  return { filters, hide, organization: boundTo ?? organization.id, username }
}

/** A key of one catalog means that one. */
function defaultName({ caller, organization: { defaultCatalog } }: Context): string {
  const { catalogs } = caller.bounds ?? {}
  if (catalogs?.length === 1) return catalogs[0]!
  if (defaultCatalog) return defaultCatalog
  throw new Invalid('catalog: required, since the organization has no default catalog')
}

async function findCatalog(ctx: Context, name: string): Promise<FoundCatalog> {
  const { caller, organization, signal } = ctx
  if (caller.bounds?.catalogs?.includes(name) === false) throw new NotFound('Catalog')
  const found = await lookUpCatalog(ctx, { root: rootOf(organization), name }, { signal })
  const owner = found?.catalog.owner
  if (!found || (owner !== organization.id && owner !== organization.parent)) {
    throw new NotFound('Catalog')
  }
  return found
}

/** As openCatalog, for who has `role` in the owner; `deed` begins what others are told. Throws Forbidden. */
export async function writableCatalog(
  ctx: Context,
  name: string | null | undefined,
  { role = 'editor', deed = 'Writing' }: { role?: Role; deed?: string } = {},
): Promise<CatalogScope> {
  const scope = await openCatalog(ctx, name)
  const own = scope.owner === ctx.organization.id
  const held = own ? ctx.caller.role : ctx.caller.parentRole
  if (held === null || ROLES.indexOf(held) < ROLES.indexOf(role)) {
    throw new Forbidden(
      `${deed} the catalog ${scope.name} needs the role ${role} in the organization that owns it.`,
    )
  }
  return scope
}
