import { isDeepStrictEqual } from 'node:util'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { roomAfter, roomWithin } from '../platform/json-size.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { FieldChange, Product } from './product.ts'

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
  'groupId',
  'hidden',
] as const
const LISTS = ['images', 'links', 'upcs'] as const
export const NAMED = ['attributes', 'filters', 'facets', 'options'] as const
const FIELDS = [...SINGLE, ...LISTS, ...NAMED, 'vendors'] as const
const NOTHING: Readonly<Record<string, never>> = {}

/** A change of catalog data: undefined keeps a field, null clears it, lists and objects replace. */
export type ProductPatch = {
  readonly [Field in (typeof FIELDS)[number]]?: Product[Field] | undefined
}

/** The product after a patch. Fields that the service maintains are kept. */
export function applyPatch(product: Product, patch: ProductPatch): Product {
  const { vendors = product.vendors } = patch
  const offered = vendors === product.vendors ? product : withVendors(product, vendors)
  const patched: { [field: string]: unknown } & Product = { ...offered }
  for (const field of FIELDS) {
    if (patch[field] !== undefined) patched[field as string] = patch[field]
  }
  return patched
}

/** The product with these offers. A hidden one without offers is shown again when it gets one. */
export function withVendors(product: Product, vendors: Product['vendors']): Product {
  const comesBack = product.hidden && product.vendors.length === 0 && vendors.length > 0
  return { ...product, vendors, ...(comesBack ? { hidden: null } : {}) }
}

/**
 * The fields of catalog data that differ, in a fixed order. For attributes, filters, facets,
 * options and vendors, only entries that differ are listed. The order of vendors is ignored.
 */
export function changedFields(before: Product, after: Product): FieldChange[] {
  const changes: FieldChange[] = []
  const note = (field: string, old: unknown, now: unknown) =>
    changes.push({ field, before: old, after: now })
  for (const field of SINGLE) {
    const old = before[field] ?? null
    const now = after[field] ?? null
    if (old !== now) note(field, old, now)
  }
  for (const field of LISTS) {
    if (before[field] === after[field]) continue
    if (before[field].length === 0 && after[field].length === 0) continue
    if (!isDeepStrictEqual(before[field], after[field])) note(field, before[field], after[field])
  }
  if (!areAlike(before.vendors, after.vendors)) {
    const { removed, added } = difference(byVendor(before, after), byVendor(after, before))
    if (removed.size + added.size > 0) note('vendors', [...removed.values()], [...added.values()])
  }
  for (const field of NAMED) {
    const old = before[field] ?? NOTHING
    const now = after[field] ?? NOTHING
    if (isAlike(old, now)) continue
    // A fast path for new products.
    if (Object.keys(old).length === 0) {
      note(field, {}, now)
      continue
    }
    const { removed, added } = difference(entriesOf(old), entriesOf(now))
    if (removed.size + added.size === 0) continue
    note(field, Object.fromEntries(removed), Object.fromEntries(added))
  }
  return changes
}

/** A fast check for identical members. If it fails, the objects may still be deeply equal. */
function isAlike(a: object, b: object): boolean {
  if (a === b) return true
  const names = Object.keys(a)
  const values = a as Readonly<Record<string, unknown>>
  const others = b as Readonly<Record<string, unknown>>
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(others, name) && values[name] === others[name])
  )
}

const areAlike = (a: readonly object[], b: readonly object[]): boolean =>
  a === b || (a.length === b.length && a.every((one, at) => isAlike(one, b[at]!)))

/** Offers that are not the same object in `other`, since a change often affects one of hundreds. */
function byVendor({ vendors }: Product, other: Product): Map<string, unknown> {
  const changed = new Map<string, unknown>()
  for (let at = 0; at < vendors.length; at++) {
    const offer = vendors[at]!
    if (offer !== other.vendors[at]) changed.set(offer.vendorName, offer)
  }
  return changed
}

const entriesOf = (record: Readonly<Record<string, unknown>>): Map<string, unknown> =>
  new Map(Object.entries(record))

/** `removed` has the old removed or changed entries, `added` the new or changed ones. */
function difference(before: Map<string, unknown>, after: Map<string, unknown>) {
  const differing = (these: Map<string, unknown>, those: Map<string, unknown>) => {
    const found = new Map<string, unknown>()
    for (const [key, item] of these) {
      if (!those.has(key) || !isDeepStrictEqual(item, those.get(key))) found.set(key, item)
    }
    return found
  }
  return { removed: differing(before, after), added: differing(after, before) }
}

const countBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

// Sizes are cached by object, since the successive products of a batch share most of theirs.
const bytesOfObject = memoizeWeak<object, number>((value) =>
  Array.isArray(value) && value.length > 0
    ? value.reduce((sum: number, one) => sum + bytesOf(one) + 1, 1)
    : countBytes(value),
)

/** Size as JSON in bytes. */
const bytesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? bytesOfObject(value) : countBytes(value)

const ROOM = roomWithin(limits.productBytes)
/** Values up to which counting a member again is faster than looking its count up. */
const FEW = 256
const countRoom = (value: unknown): number => ROOM - roomAfter(value, ROOM)
const roomOfObject = memoizeWeak<object, number>(countRoom)

/** The values of a member, as `roomAfter` counts them; at least ROOM when they are too many. */
function roomOf(value: unknown): number {
  const left = roomAfter(value, FEW)
  if (left > 0) return FEW - left
  return typeof value === 'object' && value !== null ? roomOfObject(value) : countRoom(value)
}

/** Whether a product surely is within the limit, without serializing it. */
function isSurelySmall(product: Product): boolean {
  let room = ROOM
  // The names are those of the type, which take less than a value each.
  for (const name in product) room -= 1 + roomOf(product[name as keyof Product])
  return room > 0
}

/** Throws Invalid for a product larger than limits.productBytes as JSON. */
export function checkSize(product: Product): void {
  if (isSurelySmall(product)) return
  const members = Object.entries(product).filter(([, value]) => value !== undefined)
  // Adds the braces, and the colon and the comma of each member.
  const bytes = members.flat().reduce((sum: number, one) => sum + bytesOf(one) + 1, 1)
  if (bytes > limits.productBytes) {
    throw new Invalid(`body: the product has ${bytes} bytes; the limit is ${limits.productBytes}`)
  }
}
