import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { countWords, fold, normalisePartNumber, partNumberForms, token } from '../text.ts'
import { annotationFields, annotationTokens } from './annotation-fields.ts'
import { isDiscontinued } from './availability.ts'
import { catalogTag } from './catalog-words.ts'
import { categoryPaths, pathTerm } from './category-path.ts'
import { linkedImages } from './image-ids.ts'
import { listPriceFields } from './list-prices.ts'
import { offerPrices } from './offer-prices.ts'
import type { Offer, Product, ProductDocument } from './product.ts'
import { rolesOf } from './roles.ts'
import { firstBytes, foldedValue, shortValue } from './short-value.ts'
import { facetsOf, textFields } from './text-fields.ts'

/**
 * The field `search`: everything of a product that is queried, sorted or counted. `scope` is its
 * catalog as in the document, `language` the catalog's language. The values of `TAGGED_FIELDS` begin
 * with the catalog's tag.
 */
export function searchFields(
  { product, annotations, pending, listPrices, pictures }: ProductDocument,
  scope: string,
  language: Language = DEFAULT_LANGUAGE,
) {
  const tag = catalogTag(scope)
  const tagged = (text: string) => tag + text
  const { partNumbers, catalogNumbers } = partNumberFields(product)
  const facets = facetsOf(product)
  return {
    id: product.id,
    nameSort: product.name === null ? undefined : tagged(firstBytes(product.name)),
    updated: Date.parse(product.lastUpdated),
    pending: pending.length > 0 || undefined,
    ...textFields(product, facets, { tag, language }),
    // Hidden products must not provide spelling corrections.
    ...(product.hidden ? { words: [] } : {}),
    roles: rolesOf(product, language).map(tagged),
    length: lengthOf(product),
    partNumbers: partNumbers.map(tagged),
    catalogNumbers: catalogNumbers.map(tagged),
    quick: quickTokens(product),
    manufacturerPartNumber: quickNumber(product, tag),
    manufacturer: product.manufacturer ?? undefined,
    segment: product.segment ?? undefined,
    category: product.category ?? undefined,
    subCategory: product.subCategory ?? undefined,
    path: pathTerm(product),
    categoryPaths: categoryPaths(product),
    unspsc: product.unspsc === null ? undefined : tagged(product.unspsc),
    msrp: product.msrp ?? undefined,
    ...offerFields(product),
    ...listPriceFields(listPrices),
    discontinued: isDiscontinued(product) || undefined,
    facets: facetTerms(facets),
    facetNames: unique(facets.map(([name]) => name)),
    ...variantFields(product),
    attributes: termsOf(product.attributes),
    numbers: Object.keys(product.filters).map((name) => ({ name, value: product.filters[name]! })),
    ...annotationFields(annotations),
    images: linkedImages({ product, annotations, ...(pictures ? { pictures } : {}) }),
  }
}

export type SearchFields = ReturnType<typeof searchFields>

const unique = (values: string[]): string[] => (values.length < 2 ? values : [...new Set(values)])

/**
 * The term of a value, after its name if it has one: `Finish␟Weiß␟weiss`. The folded text comes
 * last, and only if it differs. So terms sort like their values, and a pattern for folded text
 * inside a term matches what the folded value contains.
 */
export function valueTerm(...parts: readonly string[]): string {
  const [name, named] = parts
  // A text without a name is a vendor, whose length is limited.
  const value = named === undefined ? name! : shortValue(named)
  const folded = foldedValue(value)
  const text = named === undefined ? value : token(name!, value)
  return folded === value ? text : token(text, folded)
}

const termsOf = (named: Readonly<Record<string, string>>): string[] =>
  Object.keys(named).map((name) => valueTerm(name, named[name]!))

const facetTerms = (facets: ReturnType<typeof facetsOf>): string[] =>
  unique(facets.map(([name, value]) => valueTerm(name, value)))

/**
 * Hits are collapsed by `group`, which every product has; one that is not a variant has its own.
 * Only variants have a `groupId`.
 */
function variantFields({ id, groupId, options }: Product) {
  if (!groupId) return { group: token('', id) }
  return { group: groupId, groupId, options: options ? termsOf(options) : undefined }
}

/** All part numbers of a product, and those that are not from vendors. */
function partNumberFields({ id, manufacturerPartNumber, vendors, upcs }: Product) {
  const all = new Set<string>()
  const own = new Set<string>()
  const add = (number: string | null, isOwn = true) => {
    if (number === null) return
    for (const form of partNumberForms(number)) {
      all.add(form)
      if (isOwn) own.add(form)
    }
  }
  add(id)
  add(manufacturerPartNumber)
  for (const { vendorPartNumber } of vendors) add(vendorPartNumber, false)
  for (const upc of upcs) add(upc)
  return { partNumbers: [...all], catalogNumbers: [...own] }
}

/**
 * The number of words in name and description. Among equal matches, products with less text come
 * first.
 */
const lengthOf = ({ name, description }: Product): number =>
  countWords(name ?? '') + countWords(description ?? '')

/** The kind of a quicksearch term, which consists of kind, folded text and displayed text. */
export type QuickKind = 'm' | 'c'

export const quickPrefix = (kind: QuickKind, folded: string): string => token(kind, folded)

function quickTokens(product: Product): string[] {
  const tokens = new Set<string>()
  const add = (kind: QuickKind, text: string | null) => {
    if (text !== null) tokens.add(token(kind, firstBytes(fold(text)), text))
  }
  add('m', product.manufacturer)
  add('c', product.segment)
  add('c', product.category)
  add('c', product.subCategory)
  return [...tokens]
}

/** The quicksearch term of a part number: the catalog's tag, normalized text and displayed text. */
const quickNumber = (
  { manufacturerPartNumber: number }: Product,
  tag: string,
): string | undefined =>
  number === null ? undefined : tag + token(firstBytes(normalisePartNumber(number)), number)

interface SearchedOffer {
  readonly vendor?: string
  readonly price?: number
  readonly inStock: boolean
}

/** Offers as they are indexed. A product without offers has its msrp without a vendor. */
function searchedOffers(product: Product): SearchedOffer[] {
  if (product.vendors.length === 0) {
    return product.msrp === null ? [] : [{ price: product.msrp, inStock: false }]
  }
  const prices = offerPrices(product)
  return product.vendors.map(({ vendorName, inStock }, at) => {
    const price = prices[at]!
    return { vendor: valueTerm(vendorName), ...(price === null ? {} : { price }), inStock }
  })
}

function offerFields(product: Product) {
  const offers = searchedOffers(product)
  const prices: number[] = []
  const stockPrices: number[] = []
  const vendors: string[] = []
  const stockVendors: string[] = []
  for (const { vendor, price, inStock } of offers) {
    if (price !== undefined) prices.push(price)
    if (price !== undefined && inStock) stockPrices.push(price)
    if (vendor === undefined) continue
    vendors.push(vendor)
    if (inStock) stockVendors.push(vendor)
  }
  return {
    price: prices.length === 0 ? undefined : Math.min(...prices),
    prices,
    stockPrices,
    inStock: stockVendors.length > 0,
    vendors: unique(vendors),
    stockVendors: unique(stockVendors),
    offers,
  }
}

type FilterSource = Pick<ProductDocument, 'product' | 'annotations'>

/** The search fields that key filters use, computed separately, since a filter uses only a few. */
export const FILTER_FIELDS = {
  manufacturer: ({ product }: FilterSource) => product.manufacturer,
  segment: ({ product }: FilterSource) => product.segment,
  category: ({ product }: FilterSource) => product.category,
  subCategory: ({ product }: FilterSource) => product.subCategory,
  categoryPaths: ({ product }: FilterSource) => categoryPaths(product),
  unspsc: ({ product }: FilterSource) => product.unspsc,
  partNumbers: ({ product }: FilterSource) => partNumberFields(product).partNumbers,
  vendors: ({ product }: FilterSource) => vendorTerms(product.vendors),
  stockVendors: ({ product }: FilterSource) =>
    vendorTerms(product.vendors.filter(({ inStock }) => inStock)),
  groupId: ({ product }: FilterSource) => product.groupId,
  facets: ({ product }: FilterSource) => facetTerms(facetsOf(product)),
  attributes: ({ product }: FilterSource) => termsOf(product.attributes),
  favorites: ({ annotations }: FilterSource) => annotationTokens(annotations, 'favorites'),
  tags: ({ annotations }: FilterSource) => annotationTokens(annotations, 'tags'),
  userTags: ({ annotations }: FilterSource) => annotationTokens(annotations, 'userTags'),
  fields: ({ annotations }: FilterSource) => annotationTokens(annotations, 'fields'),
}
export type FilterField = keyof typeof FILTER_FIELDS

const vendorTerms = (offers: readonly Offer[]): string[] =>
  unique(offers.map(({ vendorName }) => valueTerm(vendorName)))
