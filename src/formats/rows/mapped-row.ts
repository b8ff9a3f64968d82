import { limits } from '../../limits.ts'
import { checkText } from '../../platform/input-checks.ts'
import type { ProductImage } from '../../products/product.ts'
import { detachedText } from '../../text.ts'
import { unescapeFormula } from '../csv/formula.ts'
import { type Decimal, parseBoolean, parseNumber, splitList } from './cell-values.ts'
import { type Field, fieldOf, type MappedColumn, targetName } from './fields.ts'
import type { OfferChange, RowChange } from './row-change.ts'

/** How the rows of a file are read; the same for all of them. */
export interface RowFormat {
  readonly columns: readonly MappedColumn[]
  readonly decimal: Decimal
  /** Whose offers the rows are when they do not say. */
  readonly vendor: string | null
  /** Whose those are that have a price or a stock all the same; null or absent: nobody's. */
  readonly fallbackVendor?: string | null | undefined
}

/** Why a row cannot be imported. */
export class BadRow extends Error {}

type FieldValueRead = string | number | boolean | readonly string[]

function readCell(field: Field, text: string, decimal: Decimal): FieldValueRead {
  if (field.kind === 'text') return withinLength(text, field.max)
  if (field.kind === 'list') {
    const parts = splitList(text)
    if (parts.length > limits.productListEntries) {
      throw new BadRow(`more than ${limits.productListEntries} entries`)
    }
    return parts.map((part) => withinLength(part, field.max))
  }
  const value = field.kind === 'number' ? parseNumber(text, decimal) : parseBoolean(text)
  if (value === undefined) {
    const wanted = field.kind === 'number' ? 'a number' : 'yes or no'
    throw new BadRow(`${shown(text)} is not ${wanted}`)
  }
  if (field.kind === 'number' && field.min !== undefined && (value as number) < field.min) {
    throw new BadRow(`${shown(text)} is less than ${field.min}`)
  }
  return value
}

function withinLength(text: string, max: number): string {
  if (text.length > max) throw new BadRow(`longer than ${max} characters`)
  return text
}

const shown = (text: string): string =>
  `"${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}"`

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
interface Filled {
  readonly product: Record<string, FieldValueRead>
  readonly vendor: Record<string, FieldValueRead>
  readonly attribute: Record<string, string>
  readonly facet: Record<string, string>
  readonly filter: Record<string, number>
  readonly option: Record<string, string>
}

/** The values of a row's mapped cells. An empty cell says nothing. */
function fill(cells: readonly string[], { columns, decimal }: RowFormat): Filled {
  const filled: Filled = {
    product: {},
    vendor: {},
    attribute: {},
    facet: {},
    filter: {},
    option: {},
  }
  for (const { index, target } of columns) {
    const text = unescapeFormula(cells[index]?.trim() ?? '')
    if (text === '') continue
    try {
      checkText(text, 'cell')
      const value = readCell(fieldOf(target), text, decimal)
      if ('name' in target)
        (filled[target.to] as Record<string, FieldValueRead>)[target.name] = value
      else filled[target.to][target.field] = value
    } catch (error) {
      const reason = (error as Error).message.replace(/^cell: /, '')
      throw new BadRow(`${targetName(target)}: ${reason}`)
    }
  }
  return filled
}

/** Reads the cells of one row. Throws BadRow with the reason. */
export function mappedRow(cells: readonly string[], format: RowFormat): RowChange {
  const filled = fill(cells, format)
  const { id = null, upcs, images, ...single } = filled.product
  if (id === '.' || id === '..') throw new BadRow('id: must not be . or ..')
  const urls = images as readonly string[] | undefined
  const offer = offerOf(filled.vendor, format)
  return {
    // Ids are remembered long after their row is written.
    id: id === null ? null : detachedText(id as string),
    patch: {
      ...(single as Mutable<RowChange['patch']>),
      ...(upcs === undefined ? {} : { upcs: [...new Set(upcs as readonly string[])] }),
      ...(urls === undefined ? {} : { images: urls.map(imageOf) }),
    },
    ...present('attributes', filled.attribute),
    ...present('facets', filled.facet),
    ...present('filters', filled.filter),
    ...present('options', filled.option),
    offers: offer ? [offer] : [],
  }
}

export const imageOf = (url: string): ProductImage => ({ id: null, url, name: null, type: null })

const present = <K extends string, T extends object>(key: K, values: T) =>
  Object.keys(values).length === 0 ? {} : ({ [key]: values } as Record<K, T>)

function offerOf(
  vendor: Record<string, FieldValueRead>,
  format: RowFormat,
): OfferChange | undefined {
  const vendorName = (vendor.vendorName as string | undefined) ?? format.vendor
  if (vendorName !== null) return { ...(vendor as Partial<OfferChange>), vendorName }
  const [field] = Object.keys(vendor)
  const { fallbackVendor } = format
  if (field !== undefined && fallbackVendor) {
    return { ...(vendor as Partial<OfferChange>), vendorName: fallbackVendor }
  }
  if (field !== undefined) throw new BadRow(`vendor.${field}: the row names no vendor`)
  return undefined
}
