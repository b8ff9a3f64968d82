import { isDeepStrictEqual } from 'node:util'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { FieldChange, Offer, Product, ProductImage, ProductLink } from './product.ts'

/**
 * A requested change of catalog data: undefined leaves unchanged, null clears, lists and objects
 * replace.
 */
export interface ProductPatch {
  readonly description?: string | null | undefined
  readonly manufacturer?: string | null | undefined
  readonly manufacturerPartNumber?: string | null | undefined
  readonly name?: string | null | undefined
  readonly image?: string | null | undefined
  readonly unspsc?: string | null | undefined
  readonly segment?: string | null | undefined
  readonly category?: string | null | undefined
  readonly subCategory?: string | null | undefined
  readonly msrp?: number | null | undefined
  readonly images?: readonly ProductImage[] | undefined
  readonly vendors?: readonly Offer[] | undefined
  readonly attributes?: Readonly<Record<string, string>> | undefined
  readonly filters?: Readonly<Record<string, number>> | undefined
  readonly facets?: Readonly<Record<string, string>> | undefined
  readonly links?: readonly ProductLink[] | undefined
  readonly upcs?: readonly string[] | undefined
}

const said = <T>(next: T | undefined, now: T): T => (next === undefined ? now : next)

/**
 * The product after a patch, in the field order of the interface. Fields owned by the service stay.
 */
export function applyPatch(product: Product, patch: ProductPatch): Product {
  return {
    id: product.id,
    description: said(patch.description, product.description),
    manufacturer: said(patch.manufacturer, product.manufacturer),
    manufacturerPartNumber: said(patch.manufacturerPartNumber, product.manufacturerPartNumber),
    name: said(patch.name, product.name),
    image: said(patch.image, product.image),
    catalog: product.catalog,
    unspsc: said(patch.unspsc, product.unspsc),
    segment: said(patch.segment, product.segment),
    category: said(patch.category, product.category),
    subCategory: said(patch.subCategory, product.subCategory),
    updatedBy: product.updatedBy,
    msrp: said(patch.msrp, product.msrp),
    lastUpdated: product.lastUpdated,
    images: said(patch.images, product.images),
    vendors: said(patch.vendors, product.vendors),
    attributes: said(patch.attributes, product.attributes),
    filters: said(patch.filters, product.filters),
    facets: said(patch.facets, product.facets),
    links: said(patch.links, product.links),
    upcs: said(patch.upcs, product.upcs),
    version: product.version,
  }
}

const SINGLE = [
  'description',
  'manufacturer',
  'manufacturerPartNumber',
  'name',
  'image',
  'unspsc',
  'segment',
  'category',
  'subCategory',
  'msrp',
] as const
const LISTS = ['images', 'links', 'upcs'] as const
const NAMED = ['attributes', 'filters', 'facets'] as const

/**
 * The fields that differ in catalog data, in a fixed order. For attributes, filters, facets and
 * vendors only entries that differ are listed, before and after; the order of vendors is ignored.
 */
export function changedFields(before: Product, after: Product): FieldChange[] {
  const changes: FieldChange[] = []
  const note = (field: string, old: unknown, now: unknown) =>
    changes.push({ field, before: old, after: now })
  for (const field of SINGLE) {
    if (before[field] !== after[field]) note(field, before[field], after[field])
  }
  for (const field of LISTS) {
    if (before[field] === after[field]) continue
    if (!isDeepStrictEqual(before[field], after[field])) note(field, before[field], after[field])
  }
  if (before.vendors !== after.vendors) {
    const { removed, added } = difference(byVendor(before), byVendor(after))
    if (removed.size + added.size > 0) note('vendors', [...removed.values()], [...added.values()])
  }
  for (const field of NAMED) {
    if (before[field] === after[field]) continue
    const { removed, added } = difference(entriesOf(before[field]), entriesOf(after[field]))
    if (removed.size + added.size === 0) continue
    note(field, Object.fromEntries(removed), Object.fromEntries(added))
  }
  return changes
}

const byVendor = ({ vendors }: Product): Map<string, unknown> =>
  new Map(vendors.map((offer) => [offer.vendorName, offer]))

const entriesOf = (record: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(record))

/** Entries removed or changed, as they were, and entries added or changed, as they are. */
function difference(before: Map<string, unknown>, after: Map<string, unknown>) {
  const differing = (these: Map<string, unknown>, those: Map<string, unknown>) =>
    new Map(
      [...these].filter(
        ([key, item]) => !those.has(key) || !isDeepStrictEqual(item, those.get(key)),
      ),
    )
  return { removed: differing(before, after), added: differing(after, before) }
}

/** Throws Invalid for a product larger than limits.productBytes as JSON. */
export function checkSize(product: Product): void {
  const bytes = Buffer.byteLength(JSON.stringify(product))
  if (bytes > limits.productBytes) {
    throw new Invalid(`body: the product has ${bytes} bytes, at most ${limits.productBytes}`)
  }
}
