import { childrenOf, textOf, type XmlNode } from '../text/xml-trees.ts'

/** Prices of a product today, as plain decimal text; empty if the file has none. */
export interface Prices {
  readonly cost: string
  /** The recommended retail price. */
  readonly msrp: string
  /** Currencies of prices that were left out because the file has another one. */
  readonly foreign: readonly string[]
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
const DATE = /^\d{4}-\d{2}-\d{2}/
const DECIMALS = 6

/** The prices of an ARTICLE or PRODUCT. */
export function pricesOf(product: XmlNode, terms: PriceTerms): Prices {
  const unit = amountOf(childrenOf(product, 'ARTICLE_ORDER_DETAILS', 'PRODUCT_ORDER_DETAILS')[0])
  const all = childrenOf(product, 'ARTICLE_PRICE_DETAILS', 'PRODUCT_PRICE_DETAILS')
    .filter((details) => isValid(details, terms.today))
    .flatMap((details) => childrenOf(details, 'ARTICLE_PRICE', 'PRODUCT_PRICE'))
  const isOwn = (price: XmlNode) => {
    const currency = currencyOf(price)
    return terms.currency === null || currency === '' || currency === terms.currency
  }
  const own = all.filter(isOwn)
  return {
    cost: amount(best(own, COSTS), unit),
    msrp: amount(best(own, RETAIL), unit),
    foreign: [...new Set(all.filter((price) => !isOwn(price)).map(currencyOf))],
  }
}

export const currencyOf = (price: XmlNode): string => textOf(price, 'PRICE_CURRENCY').toUpperCase()

const kindOf = (price: XmlNode): string => (price.attributes.price_type ?? '').toLowerCase()

/** The price for the smallest quantity, of the first kind that is present. */
function best(prices: readonly XmlNode[], kinds: readonly string[]): XmlNode | undefined {
  for (const kind of kinds) {
    const [first] = prices
      .filter((price) => kindOf(price) === kind && decimalOf(textOf(price, 'PRICE_AMOUNT')) >= 0)
      .sort((a, b) => boundOf(a) - boundOf(b))
    if (first) return first
  }
  return undefined
}

const boundOf = (price: XmlNode): number => decimalOf(textOf(price, 'LOWER_BOUND')) || 0

/** The number of order units to which a price applies. */
function amountOf(order: XmlNode | undefined): number {
  const quantity = decimalOf(textOf(order, 'PRICE_QUANTITY'))
  return quantity > 0 ? quantity : 1
}

function amount(price: XmlNode | undefined, unit: number): string {
  if (!price) return ''
  const text = textOf(price, 'PRICE_AMOUNT')
  const factor = decimalOf(textOf(price, 'PRICE_FACTOR'))
  if (unit === 1 && !(factor > 0 && factor !== 1)) return pointed(text)
  const value = (decimalOf(text) * (factor > 0 ? factor : 1)) / unit
  return String(Number(value.toFixed(DECIMALS)))
}

/** BMEcat uses a decimal point, some files a comma. There are no thousands separators. */
const pointed = (text: string): string => (/^\d+,\d+$/.test(text) ? text.replace(',', '.') : text)

/** Parses a decimal number; NaN for other text. */
const decimalOf = (text: string): number =>
  /^\d+(?:\.\d+)?$/.test(pointed(text)) ? Number(pointed(text)) : Number.NaN

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
  const text = textOf(typed, 'DATE') || textOf(details, type.toUpperCase())
  return DATE.exec(text)?.[0] ?? ''
}
