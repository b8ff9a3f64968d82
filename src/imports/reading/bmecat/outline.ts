import { Invalid } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { createGroups, type Groups } from './groups.ts'
import { mediaOf } from './media.ts'
import { currencyOf, pricesOf } from './prices.ts'
import { detailsOf } from './product.ts'
import { childOf, childrenOf, textOf, type XmlNode } from './tree.ts'

/** What a BMEcat file says beside its products. */
export interface Outline {
  readonly supplier: string | null
  readonly currency: string | null
  readonly mimeRoot: string
  readonly pricesOnly: boolean
  readonly groups: Groups
  /** What of it no product can hold. */
  readonly notes: readonly string[]
}

export const PRODUCTS: ReadonlySet<string> = new Set(['ARTICLE', 'PRODUCT'])
const MAPS = new Set(['ARTICLE_TO_CATALOGGROUP_MAP', 'PRODUCT_TO_CATALOGGROUP_MAP'])
export const WANTED: ReadonlySet<string> = new Set([
  ...PRODUCTS,
  ...MAPS,
  'HEADER',
  'CATALOG_STRUCTURE',
])
const TRANSACTIONS = ['T_NEW_CATALOG', 'T_UPDATE_PRODUCTS', 'T_UPDATE_PRICES']

const USED = new Set([
  ...['SUPPLIER_AID', 'SUPPLIER_PID', 'ARTICLE_DETAILS', 'PRODUCT_DETAILS', 'MIME_INFO'],
  ...['ARTICLE_FEATURES', 'PRODUCT_FEATURES', 'ARTICLE_ORDER_DETAILS', 'PRODUCT_ORDER_DETAILS'],
  ...['ARTICLE_PRICE_DETAILS', 'PRODUCT_PRICE_DETAILS', 'STOCK'],
])

/** Gathers what holds for a whole file, in a first pass through it. */
export function createOutline(today: string) {
  const groups = createGroups()
  const unused = new Set<string>()
  const foreign = new Set<string>()
  let header: XmlNode | undefined
  let transaction: string | undefined
  let currency: string | null = null
  let withoutAddress = false
  let shortened = 0

  function seeProduct(product: XmlNode): void {
    for (const { name } of product.children)
      if (!USED.has(name) && unused.size < 20) unused.add(name)
    currency ??= firstCurrency(product)
    for (const other of pricesOf(product, { currency, today }).foreign) {
      if (foreign.size < 20) foreign.add(other)
    }
    withoutAddress ||= mediaOf(product, mimeRoot()).withoutAddress
    const long = textOf(detailsOf(product), 'DESCRIPTION_LONG')
    if (long.length > limits.valueLength) shortened++
  }

  const mimeRoot = () =>
    textOf(childOf(header, 'CATALOG'), 'MIME_ROOT') || textOf(header, 'MIME_ROOT')

  return {
    /** Throws Invalid for what is no BMEcat file, or of a kind that no import can be. */
    open(name: string, depth: number): void {
      if (depth === 0 && name !== 'BMECAT') {
        throw new Invalid(`This is no BMEcat file: its root is ${name.slice(0, 100)}.`)
      }
      if (depth !== 1 || !name.startsWith('T_')) return
      transaction = name
      if (!TRANSACTIONS.includes(name)) {
        throw new Invalid(
          `${name.slice(0, 100)} cannot be imported, only ${TRANSACTIONS.join(', ')}.`,
        )
      }
    },
    see(node: XmlNode): void {
      if (node.name === 'HEADER') {
        header = node
        currency = textOf(childOf(node, 'CATALOG'), 'CURRENCY').toUpperCase() || null
      } else if (node.name === 'CATALOG_STRUCTURE') groups.addGroup(node)
      else if (MAPS.has(node.name)) groups.addProduct(node)
      else seeProduct(node)
    },
    done(): Outline {
      return {
        supplier: supplierOf(header),
        currency,
        mimeRoot: mimeRoot(),
        pricesOnly: transaction === 'T_UPDATE_PRICES',
        groups,
        notes: [
          ...(unused.size > 0 ? [`Not used: ${[...unused].join(', ').slice(0, 300)}.`] : []),
          ...(foreign.size > 0
            ? [`Prices are in ${currency}; those in ${[...foreign].join(', ')} are left out.`]
            : []),
          ...(withoutAddress ? ['Pictures and documents without an address are left out.'] : []),
          ...(shortened > 0
            ? [`${shortened} descriptions are cut after ${limits.valueLength} characters.`]
            : []),
        ],
      }
    },
  }
}

function firstCurrency(product: XmlNode): string | null {
  const details = childrenOf(product, 'ARTICLE_PRICE_DETAILS', 'PRODUCT_PRICE_DETAILS')
  const prices = details.flatMap((one) => childrenOf(one, 'ARTICLE_PRICE', 'PRODUCT_PRICE'))
  return prices.map(currencyOf).find((text) => text !== '') ?? null
}

/** BMEcat 1.2 names the supplier; 2005 may also have it among the parties. */
function supplierOf(header: XmlNode | undefined): string | null {
  const supplier = childOf(header, 'SUPPLIER')
  const party = childrenOf(childOf(header, 'PARTIES'), 'PARTY').find(({ children }) =>
    children.some(({ name, text }) => name === 'PARTY_ROLE' && text.trim() === 'supplier'),
  )
  const name = textOf(supplier, 'SUPPLIER_NAME') || textOf(childOf(party, 'ADDRESS'), 'NAME')
  return name === '' ? null : name.slice(0, limits.nameLength).toWellFormed()
}
