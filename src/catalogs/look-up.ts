import { type Collection, collection } from '../elastic/collection.ts'
import type { OwnIndex } from '../elastic/own-index.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { Catalog } from './schemas.ts'

/** A catalog as stored: once for a parent and all its children, so that names are unique. */
export interface CatalogDocument extends Omit<Catalog, 'defaultVendor' | 'shards'> {
  readonly defaultVendor?: string | null
  /** Where its products lie; in the index that catalogs share when absent, or null: as an operator chose. */
  readonly ownIndex?: OwnIndex | null
  /** Where they are to lie, by the id of the task that is to move them; 0 shards: in the shared one. */
  readonly wanted?: { readonly id: string; readonly shards: number } | null
  readonly move?: CatalogMove | null
  /** The owner of the catalog. */
  readonly owner: string
  readonly created: string
  /** When it was marked for removal; its name stays taken until the products are gone. */
  readonly deleted: string | null
}

/** How far the products of a catalog are on their way to another index; absent or null: they lie still. */
export interface CatalogMove {
  /** Id of the task, and the fence of its lease. */
  readonly task: string
  readonly fence: number
  readonly from: OwnIndex | null
  readonly to: OwnIndex | null
  /** `sealed`: nothing may be written. `flipped`, `undone`: what is left has to be cleared away. */
  readonly phase: 'copying' | 'sealed' | 'flipped' | 'undone'
  /** When it began, or ended. */
  readonly at: string
}

/** How it was known where the products of a catalog lie. */
export interface KnownIndex {
  readonly root: string
  /** Asked for then, by `performance.now()`. */
  readonly since: number
  /** It has to be asked for anew each time. */
  readonly isMoving: boolean
}

export const catalogsOf = (
  { elastic }: Pick<Services, 'elastic'>,
  root: string,
): Collection<CatalogDocument> =>
  collection<CatalogDocument>(elastic, { kind: 'catalogs', scope: [root] })

export const cacheId = (root: string, name: string) => `${root}/${name}`

export interface FoundCatalog extends KnownIndex {
  readonly catalog: CatalogDocument
}

interface LookUp {
  readonly signal?: AbortSignal
  /** Read after the call. */
  readonly fresh?: boolean
}

/** A catalog as it was at most two seconds ago, or as it is now while its products move. */
export async function lookUpCatalog(
  services: Pick<Services, 'elastic' | 'cache'>,
  { root, name }: { readonly root: string; readonly name: string },
  { signal, fresh = false }: LookUp = {},
): Promise<FoundCatalog | undefined> {
  const load = async (): Promise<FoundCatalog | undefined> => {
    const since = performance.now()
    const catalog = (await catalogsOf(services, root).get(name))?.source
    if (!catalog || catalog.deleted) return undefined
    const { phase } = catalog.move ?? {}
    return { catalog, root, since, isMoving: phase === 'copying' || phase === 'sealed' }
  }
  const get = (more: { freshMs?: number } = {}) =>
    services.cache.get('catalog', cacheId(root, name), load, {
      ...(signal ? { signal } : {}),
      ...more,
    })
  const began = performance.now()
  const found = await get(fresh ? { freshMs: 0 } : {})
  if (!found || found.since >= began) return found
  // The clock that entries are dated by may have been set back.
  const isOld = began - found.since > limits.cacheMs
  return found.isMoving || isOld ? get({ freshMs: 0 }) : found
}
