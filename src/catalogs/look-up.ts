import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { OwnIndex } from '../elastic/own-index.ts'
import { NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { Catalog } from './schemas.ts'

/** The catalog is missing, is not the caller's, or was replaced by a later one of its name. */
export class CatalogNotFound extends NotFound {
  constructor() {
    super('Catalog')
  }
}

/** A catalog as stored: once for a parent and all its children, so that names are unique. */
export interface CatalogDocument extends Omit<Catalog, 'defaultVendor' | 'shards'> {
  readonly defaultVendor?: string | null
  /**
   * The catalog's own index. Absent: the shared one; null: the shared one, as an operator chose.
   */
  readonly ownIndex?: OwnIndex | null
  /** A requested move: the id of its task, and the shards of the new index; 0 is the shared one. */
  readonly wanted?: { readonly id: string; readonly shards: number } | null
  readonly move?: CatalogMove | null
  /** The owner of the catalog. */
  readonly owner: string
  readonly created: string
  /** When it was marked for removal; its name stays taken until the products are gone. */
  readonly deleted: string | null
}

/** A move to another index; absent or null when there is none. */
export interface CatalogMove {
  /** The move's task, and the fence of its lease. */
  readonly task: string
  readonly fence: number
  readonly from: OwnIndex | null
  readonly to: OwnIndex | null
  /** While `sealed`, writes wait. After `flipped` and `undone` only cleanup is left. */
  readonly phase: 'copying' | 'sealed' | 'flipped' | 'undone'
  /** When it began or, in the last two phases, when it ended. */
  readonly at: string
}

/** How the index of a catalog's products was found. */
export interface KnownIndex {
  readonly root: string
  /** When it was looked up, by `performance.now()`. */
  readonly since: number
  /** During a move, each call has to look the index up again. */
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

interface WantedCatalog extends PromiseWithResolvers<CatalogDocument | undefined> {
  readonly name: string
}

const readsOf = memoizeWeak<Elastic, Batches<WantedCatalog>>(() => createBatches())

/** Reads a catalog together with others of the family, since one request may name hundreds. */
function readCatalog({ elastic }: Pick<Services, 'elastic'>, root: string, name: string) {
  const wanted = { name, ...Promise.withResolvers<CatalogDocument | undefined>() }
  readsOf(elastic).add(root, wanted, async (all) => {
    const catalogs = catalogsOf({ elastic }, root)
    const names = [...new Set(all.map((one) => one.name))]
    try {
      const found =
        names.length === 1
          ? [await catalogs.get(names[0]!)]
          : await catalogs.getMany(names, { most: Number.POSITIVE_INFINITY })
      const byName = new Map(names.map((one, at) => [one, found[at]?.source]))
      for (const one of all) one.resolve(byName.get(one.name))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  })
  return wanted.promise
}

interface LookUp {
  readonly signal?: AbortSignal
  /** Reads the catalog again, rather than answering from the cache. */
  readonly fresh?: boolean
}

/** A catalog as of at most two seconds ago. While its products move, it is always read again. */
export async function lookUpCatalog(
  services: Pick<Services, 'elastic' | 'cache'>,
  { root, name }: { readonly root: string; readonly name: string },
  { signal, fresh = false }: LookUp = {},
): Promise<FoundCatalog | undefined> {
  const load = async (): Promise<FoundCatalog | undefined> => {
    const since = performance.now()
    const catalog = await readCatalog(services, root, name)
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
  // The clock that dates entries may have been set back.
  const isOld = began - found.since > limits.cacheMs
  return found.isMoving || isOld ? get({ freshMs: 0 }) : found
}
