import { locateIndex, recentLocation, writeToCurrentIndex } from '../catalogs/index-location.ts'
import type { ProductPlace } from '../catalogs/store.ts'
import type { Collection } from '../elastic/collection.ts'
import type { OwnIndex } from '../elastic/own-index.ts'
import type { Services } from '../operation.ts'

/** The services that locate the current index of products. */
export type Lookups = Pick<Services, 'elastic'> & Partial<Pick<Services, 'cache'>>

/**
 * A collection that finds the current index of products at each call. Writes wait during a move.
 * `place`, `reference` and `bulkItem` use the index at the time when the catalog was opened.
 */
export function productsInCurrentIndex<T extends object>(
  services: Lookups,
  place: ProductPlace,
  open: (index: OwnIndex | null) => Collection<T>,
): Collection<T> {
  const opened = open(place.index)
  const at = (index: OwnIndex | null) => (index?.kind === place.index?.kind ? opened : open(index))
  async function read<A>(work: (products: Collection<T>) => Promise<A>): Promise<A> {
    const { index } = recentLocation(place) ?? (await locateIndex(services, place))
    return work(at(index))
  }
  const write = <A>(work: (products: Collection<T>) => Promise<A>): Promise<A> =>
    writeToCurrentIndex(services, place, ({ index }) => work(at(index)))
  return {
    ...opened,
    get: (id, options) => read((products) => products.get(id, options)),
    getMany: (ids, options) => read((products) => products.getMany(ids, options)),
    search: (body, options) => read((products) => products.search(body, options)),
    find: (body, options) => read((products) => products.find(body, options)),
    count: (query, options) => read((products) => products.count(query, options)),
    refresh: (options) => read((products) => products.refresh(options)),
    openPointInTime: (keepMs, options) =>
      read((products) => products.openPointInTime(keepMs, options)),
    create: (id, source, options) => write((products) => products.create(id, source, options)),
    replace: (id, source, version, options) =>
      write((products) => products.replace(id, source, version, options)),
    put: (id, source, options) => write((products) => products.put(id, source, options)),
    remove: (id, options) => write((products) => products.remove(id, options)),
  }
}
