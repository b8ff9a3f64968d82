import { limits } from '../../limits.ts'
import { unescapeFormula } from '../../platform/csv-text.ts'
import { checkText } from '../../platform/input-checks.ts'
import type { ProductImage } from '../../products/product.ts'
import { cut, detachedText } from '../../text.ts'
import { type Decimal, parseBoolean, parseNumber, splitList, splitPictures } from './cell-values.ts'
import { codesIn, isRoundedNumber } from './codes.ts'
import { datesOf } from './dates.ts'
import { type Field, fieldOf, isPrice, type MappedColumn, targetName } from './fields.ts'
import { htmlAsText } from './html-text.ts'
import type { Notation } from './notation.ts'
import { currencyOf, isSameCurrency, type PriceFields, priceOf } from './prices.ts'
import { type FieldValueRead, withLevels, withPictures } from './product-values.ts'
import type { OfferChange, RowChange } from './row-change.ts'
import { countedStock, isOrderable, parseCount, saysNothing, stockWord } from './stock-words.ts'

/** The format of all rows of a file. */
export interface RowFormat extends Partial<Omit<Notation, 'decimal'>> {
  readonly columns: readonly MappedColumn[]
  readonly decimal: Decimal
  /** The vendor of rows that name none. */
  readonly vendor: string | null
  /**
   * The vendor of rows with a price or a stock if `vendor` is null as well; null or absent for
   * none.
   */
  readonly fallbackVendor?: string | null | undefined
  /** The day as `YYYY-MM-DD`, which decides whether a reduced price applies. */
  readonly today?: string
}

/** Thrown for a row that cannot be imported. The message gives the reason. */
export class BadRow extends Error {}

/** Parses a cell; undefined if it means that the value is unknown. */
function readCell(field: Field, text: string, decimal: Decimal): FieldValueRead | undefined {
  if (field.kind === 'text') return withinLength(text, field.max)
  if (field.kind === 'list') {
    const parts = field.hasAddresses ? splitPictures(text) : splitList(text)
    return checkedList(parts).map((part) => withinLength(part, field.max))
  }
  const value = amountOf(field, text, decimal)
  if (value === undefined) {
    if (saysNothing(text)) return undefined
    const wanted = field.kind === 'number' ? 'a number' : 'yes or no'
    throw new BadRow(`${shown(text)} is not ${wanted}`)
  }
  if (field.kind === 'number' && field.min !== undefined && (value as number) < field.min) {
    throw new BadRow(`${shown(text)} is less than ${field.min}`)
  }
  return value
}

/**
 * Parses a number or boolean. A word about stock in a column of counts becomes a boolean, which
 * `stockOf` interprets.
 */
function amountOf(field: Field, text: string, decimal: Decimal): number | boolean | undefined {
  if (field.kind !== 'number') return parseBoolean(text) ?? stockWord(text)
  return field.isStock ? (parseCount(text, decimal) ?? stockWord(text)) : parseNumber(text, decimal)
}

function withinLength(text: string, max: number): string {
  if (text.length > max) throw new BadRow(`longer than ${max} characters`)
  return text
}

const shown = (text: string): string =>
  `"${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}"`

interface Filled {
  readonly product: Record<string, FieldValueRead | null>
  readonly vendor: Record<string, FieldValueRead>
  readonly attribute: Record<string, string>
  readonly facet: Record<string, string>
  readonly filter: Record<string, number>
  readonly option: Record<string, string>
}

/** The values of a row's mapped cells. Empty cells are skipped. */
function fill(cells: readonly string[], { columns, decimal, currency }: RowFormat): Filled {
  const filled: Filled = {
    product: {},
    vendor: {},
    attribute: {},
    facet: {},
    filter: {},
    option: {},
  }
  for (const { index, target, spare } of columns) {
    const text = unescapeFormula(cells[index]?.trim() ?? '')
    if (text === '') continue
    try {
      if (spare) {
        const { to, name } = target as { to: 'attribute' | 'facet' | 'option'; name: string }
        filled[to][name] = spareText(text)
        continue
      }
      checkText(text, 'cell')
      if (isRoundedNumber(target, text)) {
        throw new BadRow(`${shown(text)} is a number that a spreadsheet rounded`)
      }
      if (currency !== undefined && isPrice(target)) checkCurrency(text, currency)
      const isProse = target.to === 'product' && target.field === 'description'
      const isPath = target.to === 'product' && target.field === 'category'
      const value = isProse
        ? cut(htmlAsText(text), limits.valueLength)
        : isPath
          ? text
          : readCell(fieldOf(target), text, decimal)
      if (value === undefined) continue
      if ('name' in target)
        (filled[target.to] as Record<string, FieldValueRead>)[target.name] = value
      else addTo(filled[target.to], target.field, value)
      if (target.to === 'vendor' && isOrderable(text)) filled.vendor.status ??= text
    } catch (error) {
      const reason = (error as Error).message.replace(/^cell: /, '')
      throw new BadRow(`${targetName(target)}: ${reason}`)
    }
  }
  return filled
}

/** Sets a value; lists of several columns are combined. */
function addTo(
  fields: Record<string, FieldValueRead | null>,
  name: string,
  value: FieldValueRead,
): void {
  const before = fields[name]
  fields[name] =
    Array.isArray(before) && Array.isArray(value) ? checkedList([...before, ...value]) : value
}

function checkedList(entries: readonly string[]): readonly string[] {
  if (entries.length <= limits.productListEntries) return entries
  throw new BadRow(`more than ${limits.productListEntries} entries`)
}

/** A product has prices in one currency, so a row with another one is refused. */
function checkCurrency(text: string, currency: string): void {
  const own = currencyOf(text)
  if (own === undefined || isSameCurrency(own, currency)) return
  throw new BadRow(
    `${shown(text)} is in ${own}, but the other prices in the file are in ${currency}`,
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** A text without a known field, cut and cleaned so that an attribute can hold it. */
export const spareText = (text: string): string =>
  cut(text.replace(CONTROL, ' ').toWellFormed(), limits.valueLength)

/** Reads the cells of one row. Throws BadRow with the reason. */
export function mappedRow(cells: readonly string[], format: RowFormat): RowChange {
  const filled = withPrice(fill(cells, format), format)
  const {
    id = null,
    upcs,
    images,
    delete: isDeleted,
    ...single
  } = withPictures(withLevels(filled.product, format.columns))
  if (id === '.' || id === '..') throw new BadRow('id: must not be . or ..')
  const urls = images as readonly string[] | undefined
  const offer = offerOf(filled.vendor, format)
  return {
    // Detached because ids are remembered long after their row is written.
    id: id === null ? null : detachedText(id as string),
    patch: {
      ...(single as RowChange['patch']),
      ...codesIn(upcs as readonly string[] | undefined),
      ...(urls === undefined ? {} : { images: urls.map(imageOf) }),
    },
    ...present('attributes', filled.attribute),
    ...present('facets', filled.facet),
    ...present('filters', filled.filter),
    ...present('options', filled.option),
    offers: offer ? [offer] : [],
    ...(isBelowZero(filled.vendor.onHand) ? { wasBelowZero: true as const } : {}),
    ...(isDeleted === true ? { action: 'delete' as const } : {}),
  }
}

/** Applies a reduced price if it is valid today. Throws BadRow if its period cannot be read. */
function withPrice(filled: Filled, { today = '', ...notation }: RowFormat): Filled {
  const { salePrice, saleFrom, saleUntil, ...vendor } = filled.vendor
  for (const [name, text] of Object.entries({ saleFrom, saleUntil })) {
    if (!(Number(salePrice) > 0) || text === undefined || datesOf(text as string)) continue
    throw new BadRow(`vendor.${name}: ${shown(text as string)} is not a date`)
  }
  const prices = { ...vendor, msrp: filled.product.msrp, salePrice, saleFrom, saleUntil }
  const { cost, msrp } = priceOf(prices as PriceFields, today, notation)
  return {
    ...filled,
    product: { ...filled.product, ...(msrp === undefined ? {} : { msrp }) },
    vendor: { ...vendor, ...(cost === undefined ? {} : { cost }) },
  }
}

export const imageOf = (url: string): ProductImage => ({ id: null, url, name: null, type: null })

const present = <K extends string, T extends object>(key: K, values: T) =>
  Object.keys(values).length === 0 ? {} : ({ [key]: values } as Record<K, T>)

/** A stock below zero, which some shops export after overselling, counts as 0. */
const isBelowZero = (onHand: FieldValueRead | undefined): boolean =>
  typeof onHand === 'number' && onHand < 0

/**
 * Interprets words about stock in any column: `sold out` is 0 as a count, and not in stock as a
 * status.
 */
function stockOf(vendor: Readonly<Record<string, FieldValueRead>>): Partial<OfferChange> {
  const { onHand, inStock, ...rest } = vendor
  const status = (vendor.status as string | undefined) ?? ''
  const isNone = onHand === false || isBelowZero(onHand)
  // In stock without a count, such as `<5`, so that an earlier count no longer applies.
  const known = onHand === true ? { onHand: null } : {}
  const counted = isNone ? { onHand: 0 } : typeof onHand === 'number' ? { onHand } : known
  const isInStock =
    inStock ??
    (typeof onHand === 'boolean' ? onHand : undefined) ??
    (onHand === undefined ? (stockWord(status) ?? countedStock(status)) : undefined)
  return {
    ...(rest as Partial<OfferChange>),
    ...counted,
    ...(isInStock === undefined ? {} : { inStock: isInStock as boolean }),
  }
}

function offerOf(
  vendor: Record<string, FieldValueRead>,
  format: RowFormat,
): OfferChange | undefined {
  const vendorName = (vendor.vendorName as string | undefined) ?? format.vendor
  if (vendorName !== null) return { ...stockOf(vendor), vendorName }
  const [field] = Object.keys(vendor)
  if (field === undefined) return undefined
  if (!format.fallbackVendor) throw new BadRow(`vendor.${field}: the row names no vendor`)
  return { ...stockOf(vendor), vendorName: format.fallbackVendor }
}
