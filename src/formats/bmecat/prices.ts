import { cut } from '../../text.ts'
import { parseNumber } from '../rows/cell-values.ts'
import { isoDay } from '../rows/iso-day.ts'
import { BadRow } from '../rows/mapped-row.ts'
import { saysNothing } from '../rows/stock-words.ts'
import { childrenOf, childText, type XmlNode } from '../text/xml-trees.ts'

/** Prices of a product today, as plain decimal text; empty if the file has none. */
export interface Prices {
  readonly cost: string
  /** The recommended retail price. */
  readonly msrp: string
  /** Currencies of prices that were left out because the file has another one. */
  readonly foreign: readonly string[]
  /** What cannot be read, so that another price must not take its place; then there are none. */
  readonly problem?: string
}

export interface PriceTerms {
  /** The currency of the file; null accepts any. */
  readonly currency: string | null
  /** `YYYY-MM-DD`. */
  readonly today: string
}

/** Kinds of the price that the buyer pays, in order of preference. */
const COSTS = ['net_customer', 'net_customer_exp', 'net_list', 'net_list_exp', 'gros_list', '']
const RETAIL = ['nrp']
const DECIMALS = 6

/** The prices of an ARTICLE or PRODUCT. */
export function pricesOf(product: XmlNode, terms: PriceTerms): Prices {
  try {
    return readPrices(product, terms)
  } catch (error) {
    if (!(error instanceof BadRow)) throw error
    return { cost: '', msrp: '', foreign: [], problem: error.message }
  }
}

/** Throws BadRow. */
function readPrices(product: XmlNode, terms: PriceTerms): Prices {
  const order = childrenOf(product, 'ARTICLE_ORDER_DETAILS', 'PRODUCT_ORDER_DETAILS')[0]
  const all = pricesIn(product, (details) => isValid(details, terms.today))
  const isOwn = (price: XmlNode) => {
    const currency = currencyOf(price)
    return terms.currency === null || currency === '' || currency === terms.currency
  }
  const own = all.filter(isOwn)
  return {
    cost: amount(best(own, COSTS), order),
    msrp: amount(best(own, RETAIL), order),
    foreign: [...new Set(all.filter((price) => !isOwn(price)).map(currencyOf))],
  }
}

/** All prices of an ARTICLE or PRODUCT, or those in details that count. */
export const pricesIn = (product: XmlNode, counts: (details: XmlNode) => boolean = () => true) =>
  childrenOf(product, 'ARTICLE_PRICE_DETAILS', 'PRODUCT_PRICE_DETAILS')
    .filter(counts)
    .flatMap((details) => childrenOf(details, 'ARTICLE_PRICE', 'PRODUCT_PRICE'))

export const currencyOf = (price: XmlNode): string =>
  childText(price, 'PRICE_CURRENCY').toUpperCase()

const kindOf = (price: XmlNode): string => (price.attributes.price_type ?? '').toLowerCase()

/** The price for the smallest quantity, of the first kind that is present. */
function best(prices: readonly XmlNode[], kinds: readonly string[]): XmlNode | undefined {
  for (const kind of kinds) {
    const [first] = prices
      .filter((price) => kindOf(price) === kind && numberIn(price, 'PRICE_AMOUNT') !== undefined)
      .sort((a, b) => boundOf(a) - boundOf(b))
    if (first) return first
  }
  return undefined
}

const boundOf = (price: XmlNode): number => numberIn(price, 'LOWER_BOUND') ?? 0

function amount(price: XmlNode | undefined, order: XmlNode | undefined): string {
  if (!price) return ''
  const text = pointed(childText(price, 'PRICE_AMOUNT'))
  // A price applies to this number of order units.
  const unit = numberIn(order, 'PRICE_QUANTITY') || 1
  const factor = numberIn(price, 'PRICE_FACTOR') || 1
  if (unit === 1 && factor === 1 && PLAIN.test(text)) return text
  const value = (numberIn(price, 'PRICE_AMOUNT')! * factor) / unit
  return String(Number(value.toFixed(DECIMALS)))
}

const PLAIN = /^\d+(?:\.\d+)?$/

/** BMEcat uses a decimal point, some files a comma. */
const pointed = (text: string): string => (/^\d+,\d+$/.test(text) ? text.replace(',', '.') : text)

/** A number in an element; undefined if it has none. Throws BadRow for other text. */
function numberIn(node: XmlNode | undefined, name: string): number | undefined {
  const text = childText(node, name)
  if (text === '' || saysNothing(text)) return undefined
  const value = parseNumber(pointed(text), '.')
  if (value !== undefined && value >= 0) return value
  const problem = value === undefined ? 'is not a number' : 'is less than 0'
  throw new BadRow(`${name}: ${JSON.stringify(cut(text, 40))} ${problem}`)
}

function isValid(details: XmlNode, today: string): boolean {
  const start = dateOf(details, 'valid_start_date')
  const end = dateOf(details, 'valid_end_date')
  return (start === '' || start <= today) && (end === '' || today <= end)
}

/** BMEcat 1.2 has DATETIME with a type, BMEcat 2005 an element with that name. */
function dateOf(details: XmlNode, type: string): string {
  const typed = details.children.find(
    ({ name, attributes }) => name === 'DATETIME' && attributes.type === type,
  )
  return isoDay(type, childText(typed, 'DATE') || childText(details, type.toUpperCase()))
}
