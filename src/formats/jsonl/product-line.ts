import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { checkTextShape, checkValue } from '../../platform/input-checks.ts'
import { parse, problemText } from '../../platform/validation-problem.ts'
import { ANSWERED_FIELDS, ProductBody } from '../../products/schemas.ts'
import { parseBoolean } from '../rows/cell-values.ts'
import { BadRow } from '../rows/mapped-row.ts'
import type { RowChange } from '../rows/row-change.ts'
import { plainProduct, READ_FIELDS } from './plain-product.ts'

/**
 * Parses one line of a jsonl file, which is a Product as returned by the API. Offers without a
 * vendor belong to `vendor`. Adds names that a Product does not have to `ignored`. Throws BadRow.
 */
export function jsonRow(
  text: string,
  vendor: string | null = null,
  ignored?: Set<string>,
): RowChange {
  const value = withVendor(parsed(text), vendor)
  if (ignored) noteIgnored(value, ignored)
  const change = (hasPlainText(text) ? plainProduct(value) : undefined) ?? checked(value)
  return isDeletion(value._delete) ? { ...change, action: 'delete' } : change
}

const KNOWN = new Set([...READ_FIELDS, ...ANSWERED_FIELDS, '_delete'])
const MOST_IGNORED = 20
const SHOWN = 60

function noteIgnored(value: object, ignored: Set<string>): void {
  for (const name in value) {
    if (!KNOWN.has(name) && ignored.size < MOST_IGNORED) ignored.add(name.slice(0, SHOWN))
  }
}

/** Parses `_delete`. Throws BadRow. */
function isDeletion(flag: unknown): boolean {
  if (flag === undefined || flag === null || flag === '') return false
  const yes = typeof flag === 'boolean' ? flag : parseBoolean(String(flag))
  if (yes === undefined || typeof flag === 'object')
    throw new BadRow('_delete: must be true or false')
  return yes
}

function withVendor(value: Record<string, unknown>, vendor: string | null) {
  if (vendor === null || !Array.isArray(value.vendors) || value.vendors.every(isNamed)) return value
  const vendors = value.vendors.map((offer) =>
    isNamed(offer) ? offer : { ...offer, vendorName: vendor },
  )
  return { ...value, vendors }
}

/** Whether an offer names its vendor. Values that are not an offer are left to the schema. */
const isNamed = (offer: unknown): boolean => {
  if (typeof offer !== 'object' || offer === null || Array.isArray(offer)) return true
  const { vendorName: name } = offer as { vendorName?: unknown }
  return name !== undefined && name !== null && !(typeof name === 'string' && name.trim() === '')
}

/** Parses a line with the schema. Throws BadRow. */
export function checked(value: object): RowChange {
  try {
    checkValue(value, 'product')
  } catch (error) {
    throw new BadRow((error as Error).message)
  }
  const { data, error } = parse(ProductBody, value)
  if (!data) throw new BadRow(problemText(error, 'product'))
  const { id: named, vendors, ...patch } = data
  const id = named?.trim() || null
  if (id === '.' || id === '..') throw new BadRow('id: must not be . or ..')
  return { id, patch, offers: vendors ?? [] }
}

function parsed(text: string): Record<string, unknown> {
  let value: unknown
  try {
    checkTextShape(text, 'product', limits.productValues)
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof Invalid) throw new BadRow(error.message)
    throw new BadRow('not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRow('the line must be a JSON object with one product')
  }
  return value as Record<string, unknown>
}

/** Escapes that may represent control characters or half of a surrogate pair. */
const DOUBTFUL = /\\[ubf]/

/** Whether no name or text of this JSON can be refused by `checkValue`. */
const hasPlainText = (text: string): boolean =>
  !(text.includes('\\') && DOUBTFUL.test(text)) &&
  !text.includes('\u007f') &&
  !text.includes('__proto__') &&
  text.isWellFormed()
