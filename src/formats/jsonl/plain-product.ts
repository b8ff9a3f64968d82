import { limits } from '../../limits.ts'
import type { Offer, ProductImage, ProductLink } from '../../products/product.ts'
import type { RowChange } from '../rows/row-change.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Thrown for an unusual product, which the schema has to parse. */
class Unusual extends Error {}
const UNUSUAL = new Unusual()
/** Created once, since no stack trace is needed. */
const giveUp = (): never => {
  throw UNUSUAL
}

/**
 * Parses a product as returned by the API, like ProductBody of products/schemas.ts but ten times
 * faster. Undefined if anything about it is unusual or wrong, which the schema then handles. Its
 * texts must have passed `checkValue`.
 */
export function plainProduct(value: JsonObject): RowChange | undefined {
  try {
    return changeOf(value)
  } catch (error) {
    if (error === UNUSUAL) return undefined
    throw error
  }
}

const { nameLength, valueLength, productNameLength, idLength, productListEntries } = limits

function changeOf(value: JsonObject): RowChange {
  for (const name in value) if (!READ_FIELDS.has(name) && !isShallow(value[name])) giveUp()
  return {
    id: ownId(value.id),
    patch: {
      description: patchText(value.description, valueLength),
      manufacturer: patchText(value.manufacturer, nameLength),
      manufacturerPartNumber: patchText(value.manufacturerPartNumber, nameLength),
      name: patchText(value.name, productNameLength),
      image: patchText(value.image, valueLength),
      unspsc: patchText(value.unspsc, nameLength),
      segment: patchText(value.segment, nameLength),
      category: patchText(value.category, nameLength),
      subCategory: patchText(value.subCategory, nameLength),
      msrp: value.msrp === undefined ? undefined : amount(value.msrp),
      images: listOf(value.images, imageOf)?.filter((image) => image !== undefined),
      attributes: named(value.attributes, isValue),
      filters: named(value.filters, isNumber),
      facets: named(value.facets, isValue),
      links: listOf(value.links, linkOf),
      upcs: upcsOf(value.upcs),
      groupId: patchText(value.groupId, nameLength),
      options: named(value.options, isValue, limits.productOptions),
      hidden: value.hidden === undefined ? undefined : flag(value.hidden, false) || null,
    },
    offers: offersOf(value.vendors),
  }
}

/** The fields of ProductBody, all read by `changeOf`. */
export const READ_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'description', 'manufacturer', 'manufacturerPartNumber', 'name', 'image', 'unspsc'],
  ...['segment', 'category', 'subCategory', 'msrp', 'images', 'vendors', 'attributes', 'filters'],
  ...['facets', 'links', 'upcs', 'groupId', 'options', 'hidden'],
])

/** Whether an ignored field is not nested too deeply. */
const isShallow = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.values(value).every((item) => typeof item !== 'object' || item === null)

const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : giveUp()

function textOf(value: unknown, max: number): string {
  return typeof value === 'string' && value.length <= max ? value.trim() : giveUp()
}

/** A text; absent, null and empty are all null. */
const optional = (value: unknown, max: number): string | null =>
  value === undefined || value === null ? null : textOf(value, max) || null

const required = (value: unknown, max: number): string => textOf(value, max) || giveUp()

const patchText = (value: unknown, max: number): string | null | undefined =>
  value === undefined ? undefined : optional(value, max)

function ownId(value: unknown): string | null {
  const id = optional(value, idLength)
  return id === '.' || id === '..' ? giveUp() : id
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)
const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= valueLength

const numberOf = (value: unknown): number | null =>
  value === undefined || value === null ? null : isNumber(value) ? value : giveUp()

const amount = (value: unknown): number | null => {
  const number = numberOf(value)
  return number !== null && number < 0 ? giveUp() : number
}

function flag(value: unknown, absent: boolean): boolean {
  if (value === undefined || value === null) return absent
  return typeof value === 'boolean' ? value : giveUp()
}

function listOf<T>(value: unknown, read: (item: unknown) => T): T[] | undefined {
  if (value === undefined) return undefined
  if (value === null) return []
  if (!Array.isArray(value) || value.length > productListEntries) return giveUp()
  return value.map(read)
}

/** The entries unchanged. Names that would have to be trimmed or left out are unusual. */
function named<T>(
  value: unknown,
  fits: (item: unknown) => item is T,
  most: number = limits.productAttributes,
): Readonly<Record<string, T>> | undefined {
  if (value === undefined) return undefined
  if (value === null) return {}
  const fields = fieldsOf(value)
  let count = 0
  for (const name in fields) {
    if (++count > most || name.length > nameLength) giveUp()
    if (name === '' || name.trim() !== name) giveUp()
    const item = fields[name]
    if (!fits(item) || (item as unknown) === '') giveUp()
  }
  return fields as Readonly<Record<string, T>>
}

function offersOf(value: unknown): readonly Offer[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > limits.productOffers) return giveUp()
  const offers = value.map(offerOf)
  for (let at = 1; at < offers.length; at++) {
    for (let other = 0; other < at; other++) {
      if (offers[at]!.vendorName === offers[other]!.vendorName) giveUp()
    }
  }
  return offers
}

function offerOf(value: unknown): Offer {
  const fields = fieldsOf(value)
  const onHand = numberOf(fields.onHand)
  return {
    cost: amount(fields.cost),
    onHand,
    inStock: flag(fields.inStock, onHand !== null && onHand > 0),
    vendorPartNumber: optional(fields.vendorPartNumber, nameLength),
    vendorName: required(fields.vendorName, nameLength),
    status: optional(fields.status, nameLength),
    name: optional(fields.name, productNameLength),
  }
}

/** Undefined for a custom image, which is not catalog data. */
function imageOf(value: unknown): ProductImage | undefined {
  const fields = fieldsOf(value)
  const image = {
    id: optional(fields.id, idLength),
    url: required(fields.url, valueLength),
    name: optional(fields.name, productNameLength),
    type: optional(fields.type, nameLength),
  }
  optional(fields.source, valueLength)
  return flag(fields.isCustom, false) ? undefined : image
}

function linkOf(value: unknown): ProductLink {
  const fields = fieldsOf(value)
  return {
    type: optional(fields.type, nameLength) ?? '',
    value: required(fields.value, valueLength),
    recommended: flag(fields.recommended, false),
  }
}

function upcsOf(value: unknown): readonly string[] | undefined {
  const upcs = listOf(value, (upc) => textOf(upc, nameLength))
  if (!upcs || (upcs.length < 2 && upcs[0] !== '')) return upcs
  return [...new Set(upcs)].filter((upc) => upc !== '')
}
