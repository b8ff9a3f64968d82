import { fittingSlices } from '../../elastic/bounded-reads.ts'
import type { Collection } from '../../elastic/collection.ts'
import type { Context } from '../../operation.ts'

/** Products read and drafted at a time. More would take memory and delay other requests. */
const SLICE = 50
/** Size of the first slice, whose products have unknown sizes. */
const FIRST_SLICE = 10
const SLICE_BYTES = 4 * 1024 * 1024

/** Divides products into slices by the sizes of those that were read and drafted before. */
export function createProductSlices(
  services: Pick<Context, 'elastic'>,
  products: Pick<Collection<object>, 'place'>,
) {
  let most = FIRST_SLICE
  return {
    /** The first of these products; no more are read than fit into one call. */
    next<Group>(groups: readonly Group[], { areRead }: { areRead: boolean }): readonly Group[] {
      const slice = groups.slice(0, most)
      if (!areRead) return slice
      const [read = []] = fittingSlices(services, products, slice)
      return read
    },
    /** Notes the number of products drafted from a slice, and the bytes of their lines. */
    drafted(count: number, bytes: number): void {
      if (count === 0) most = SLICE
      else most = Math.max(1, Math.min(SLICE, Math.floor((SLICE_BYTES * count) / bytes)))
    },
  }
}
