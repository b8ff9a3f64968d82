import { defined } from '../platform/defined.ts'
import { changedFields } from './patch.ts'
import type { ChangeEntry, FieldChange, Product, ProductDocument } from './product.ts'

/** The author and the source of a change, fixed before the first attempt to write. */
export interface ChangeStamp {
  /** UUIDv7, by which a retry recognizes that the change was applied. */
  readonly entryId: string
  readonly actor: string
  readonly source: ChangeEntry['source']
  readonly copiedFrom?: ChangeEntry['copiedFrom'] | undefined
}

export interface AdvanceOptions {
  readonly stamp: ChangeStamp
  readonly now: Date
  /** Fields whose changes are not logged, like offers in an import. */
  readonly unlogged?: readonly string[]
}

/**
 * The document to store after a change; undefined if nothing differs. Changes of catalog data and
 * offers increase the version, and add an entry to `pending` unless they are `unlogged`.
 */
export function nextDocument(
  before: ProductDocument,
  after: ProductDocument,
  { stamp, now, unlogged = [] }: AdvanceOptions,
): ProductDocument | undefined {
  const changes = changedFields(before.product, after.product)
  const { imported, listPrices, pictures, offerWrites } = after
  if (changes.length === 0) {
    const isSame = after.annotations === before.annotations && pictures === before.pictures
    return isSame
      ? undefined
      : { ...before, annotations: after.annotations, ...defined({ pictures }) }
  }
  // Clocks of instances differ, but within a product time never goes back.
  const time = new Date(Math.max(now.getTime(), Date.parse(before.product.lastUpdated)))
  const product: Product = {
    ...after.product,
    updatedBy: stamp.actor,
    lastUpdated: time.toISOString(),
    version: before.product.version + 1,
  }
  const logged = changes.filter(({ field }) => !unlogged.includes(field))
  return {
    product,
    annotations: after.annotations,
    pending:
      logged.length === 0 ? before.pending : [...before.pending, entryOf(product, stamp, logged)],
    ...defined({ imported, listPrices, pictures, offerWrites }),
  }
}

export interface NewProduct {
  readonly id: string
  readonly catalog: string
  readonly actor: string
  readonly now: Date
}

/** A product without any data, at version 1. */
export const emptyProduct = ({ id, catalog, actor, now }: NewProduct): Product => ({
  id,
  description: null,
  manufacturer: null,
  manufacturerPartNumber: null,
  name: null,
  image: null,
  catalog,
  unspsc: null,
  segment: null,
  category: null,
  subCategory: null,
  updatedBy: actor,
  msrp: null,
  lastUpdated: now.toISOString(),
  created: now.toISOString(),
  images: [],
  vendors: [],
  attributes: {},
  filters: {},
  facets: {},
  links: [],
  upcs: [],
  version: 1,
})

/** The document of a new product, with a log entry of its creation in `pending`. */
export function firstDocument(product: Product, stamp: ChangeStamp): ProductDocument {
  const { id, catalog, lastUpdated } = product
  const nothing = emptyProduct({ id, catalog, actor: stamp.actor, now: new Date(lastUpdated) })
  const entry = entryOf(product, stamp, changedFields(nothing, product))
  return { product, annotations: {}, pending: [entry] }
}

const entryOf = (product: Product, stamp: ChangeStamp, changes: FieldChange[]): ChangeEntry => ({
  id: stamp.entryId,
  catalog: product.catalog,
  productId: product.id,
  version: product.version,
  updatedBy: stamp.actor,
  source: stamp.source,
  timestamp: product.lastUpdated,
  ...(stamp.copiedFrom ? { copiedFrom: stamp.copiedFrom } : {}),
  changes,
})
