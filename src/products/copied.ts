import { hash } from 'node:crypto'
import type { ProductPatch } from './patch.ts'
import type { ChangeEntry, Product } from './product.ts'

/** The catalog data of a product with its offers, as a patch that makes another one equal. */
export const copyOf = (product: Product): ProductPatch => ({
  description: product.description,
  manufacturer: product.manufacturer,
  manufacturerPartNumber: product.manufacturerPartNumber,
  name: product.name,
  image: product.image,
  unspsc: product.unspsc,
  segment: product.segment,
  category: product.category,
  subCategory: product.subCategory,
  msrp: product.msrp,
  images: product.images,
  vendors: product.vendors,
  attributes: product.attributes,
  filters: product.filters,
  facets: product.facets,
  links: product.links,
  upcs: product.upcs,
})

const FIRST = 24

/**
 * The entry that a copy leaves at its source, made from the target's so that one is not stored
 * without the other. Undefined for what is no copy, or from a log that is not told.
 */
export function sourceEntry(entry: ChangeEntry): ChangeEntry | undefined {
  const { copiedFrom } = entry
  if (!copiedFrom || copiedFrom.version === null) return undefined
  return {
    // Of the same month, since the time stands in the first half.
    id: entry.id.slice(0, FIRST) + hash('sha256', entry.id).slice(FIRST, FIRST + 12),
    catalog: copiedFrom.catalog,
    productId: entry.productId,
    version: copiedFrom.version,
    updatedBy: entry.updatedBy,
    source: 'copy',
    timestamp: entry.timestamp,
    copiedTo: entry.catalog,
    changes: [],
  }
}
