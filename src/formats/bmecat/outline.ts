import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { childOf, childrenOf, childText, type XmlNode } from '../text/xml-trees.ts'
import { createCatalogGroups } from './groups.ts'
import { inLanguage, languageOf } from './language.ts'
import { mediaOf } from './media.ts'
import { currencyOf, pricesIn, pricesOf } from './prices.ts'
import { detailsOf } from './product.ts'

/** The content of a BMEcat file besides its products. */
export type Outline = ReturnType<ReturnType<typeof createOutline>['done']>

export const PRODUCTS: ReadonlySet<string> = new Set(['ARTICLE', 'PRODUCT'])
const MAPS = new Set(['ARTICLE_TO_CATALOGGROUP_MAP', 'PRODUCT_TO_CATALOGGROUP_MAP'])
export const PARSED_ELEMENTS: ReadonlySet<string> = new Set([
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

/** Collects what applies to a whole file, in a first pass. */
export function createOutline(today: string) {
  const groups = createCatalogGroups()
  const unused = new Set<string>()
  const foreign = new Set<string>()
  let header: XmlNode | undefined
  /** Read from the header once, since it may be large. */
  let language: string | null = null
  let mimeRoot = ''
  let transaction: string | undefined
  let currency: string | null = null
  let withoutAddress = false
  let shortened = 0
  let unpriced = 0

  function seeProduct(product: XmlNode): void {
    for (const { name } of product.children)
      if (!USED.has(name) && unused.size < 20) unused.add(name)
    currency ??= firstCurrency(product)
    const prices = pricesOf(product, { currency, today })
    for (const other of prices.foreign) if (foreign.size < 20) foreign.add(other)
    const isPriced = prices.cost + prices.msrp !== '' || prices.foreign.length > 0
    if (prices.problem === undefined && !isPriced && pricesIn(product).length > 0) unpriced++
    withoutAddress ||= mediaOf(product, mimeRoot).withoutAddress
    const long = childText(detailsOf(product), 'DESCRIPTION_LONG')
    if (long.length > limits.valueLength) shortened++
  }

  return {
    /** Throws Invalid for a file that is not BMEcat, or of a kind that cannot be imported. */
    open(name: string, depth: number): void {
      if (depth === 0 && name !== 'BMECAT') {
        throw new Invalid(
          `The file is not a BMEcat file: its root element is ${name.slice(0, 100)}.`,
        )
      }
      if (depth !== 1 || !name.startsWith('T_')) return
      transaction = name
      if (!TRANSACTIONS.includes(name)) {
        throw new Invalid(
          `${name.slice(0, 100)} cannot be imported. Supported: ${TRANSACTIONS.join(', ')}.`,
        )
      }
    },
    see(node: XmlNode): void {
      if (node.name === 'HEADER') {
        header = node
        language = languageOf(node)
        mimeRoot = mimeRootOf(node)
        currency = childText(childOf(node, 'CATALOG'), 'CURRENCY').toUpperCase() || null
      } else if (node.name === 'CATALOG_STRUCTURE') groups.addGroup(inLanguage(node, language))
      else if (MAPS.has(node.name)) groups.addProduct(node)
      else seeProduct(node)
    },
    done() {
      return {
        supplier: supplierOf(header),
        currency,
        /** The language to use for texts in several languages. */
        language,
        mimeRoot,
        pricesOnly: transaction === 'T_UPDATE_PRICES',
        groups,
        /** Notes about what is not imported. */
        notes: [
          ...(unused.size > 0 ? [`Not used: ${[...unused].join(', ').slice(0, 300)}.`] : []),
          ...(foreign.size > 0
            ? [
                `Prices are in ${currency?.slice(0, 20)}; those in ${[...foreign].join(', ').slice(0, 300)} are left out.`,
              ]
            : []),
          ...(unpriced > 0
            ? [
                `Products without a usable price: ${unpriced}. Their prices have no amount, are not valid today or are of an unknown type.`,
              ]
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

/** The base of relative addresses; empty if it is longer than an address may be. */
function mimeRootOf(header: XmlNode): string {
  const root = childText(childOf(header, 'CATALOG'), 'MIME_ROOT') || childText(header, 'MIME_ROOT')
  return root.length > limits.valueLength ? '' : root
}

const firstCurrency = (product: XmlNode): string | null =>
  pricesIn(product).map(currencyOf).find(Boolean) ?? null

/** BMEcat 1.2 names the supplier; 2005 may also have it among the parties. */
function supplierOf(header: XmlNode | undefined): string | null {
  const supplier = childOf(header, 'SUPPLIER')
  const party = childrenOf(childOf(header, 'PARTIES'), 'PARTY').find(({ children }) =>
    children.some(({ name, text }) => name === 'PARTY_ROLE' && text.trim() === 'supplier'),
  )
  const name = childText(supplier, 'SUPPLIER_NAME') || childText(childOf(party, 'ADDRESS'), 'NAME')
  return name === '' ? null : name.slice(0, limits.nameLength).toWellFormed()
}
