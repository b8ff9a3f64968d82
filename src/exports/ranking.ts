import { mapSteps, type Steps } from '../platform/steps.ts'
import type { ManufacturerNames } from '../products/manufacturer-names.ts'
import type { Product } from '../products/product.ts'
import { fold, normalisePartNumber, partNumberForms } from '../text.ts'

/** An item of another system. */
export interface ExternalItem {
  readonly name: string | null
  readonly manufacturer: string | null
  readonly partNumber: string | null
  readonly upcs: readonly string[]
}

/** An item, prepared for the comparison with products. */
export interface ReadItem extends ExternalItem {
  readonly upcForms: ReadonlySet<string>
}

/** Prepares an item, each of its UPCs in a step. */
export function* readItem(item: ExternalItem): Steps<ReadItem> {
  const forms = yield* mapSteps(item.upcs, partNumberForms)
  return { ...item, upcForms: new Set(forms.flat()) }
}

/** How well a product fits an item, from 0 to 1, and why. */
export interface ItemFit {
  readonly score: number
  readonly reason: string
}

const SCORES = {
  upc: 1,
  made: 0.98,
  partNumber: 0.9,
  vendor: 0.8,
  id: 0.7,
  words: 0.7,
  maker: 0.1,
  /** A product of another manufacturer with the same number is seldom meant. */
  otherMaker: 0.5,
} as const
/** A smaller share of the item's words is no evidence. */
const FEWEST = 0.4

type Manufacturer = Pick<ManufacturerNames, 'form'>

/**
 * How well a product fits an item, each of its up to 1,000 numbers in a step; undefined when
 * nothing fits.
 */
export function* itemFit(
  item: ReadItem,
  product: Product,
  names: Manufacturer,
): Steps<ItemFit | undefined> {
  const fits = [
    yield* byUpc(item, product),
    yield* byNumber(item, product, names),
    byWords(item, product, names),
  ]
  return fits
    .filter((fit) => fit !== undefined)
    .toSorted((a, b) => b.score - a.score)
    .at(0)
}

const hasForm = (forms: ReadonlySet<string>, text: string | null): boolean =>
  text !== null && partNumberForms(text).some((form) => forms.has(form))

function* byUpc({ upcForms }: ReadItem, product: Product): Steps<ItemFit | undefined> {
  if (upcForms.size === 0) return undefined
  const found = yield* findInSteps(product.upcs, (upc) => hasForm(upcForms, upc))
  return found === undefined ? undefined : { score: SCORES.upc, reason: 'UPC' }
}

function* findInSteps<T>(all: readonly T[], isIt: (one: T) => boolean): Steps<T | undefined> {
  for (const one of all) {
    if (isIt(one)) return one
    yield
  }
  return undefined
}

/** Whether two manufacturers are the same; undefined when one is not known. */
function sameMaker(a: string | null, b: string | null, names: Manufacturer): boolean | undefined {
  const [one, other] = [a && names.form(a), b && names.form(b)]
  return one && other ? one === other : undefined
}

function* byNumber(
  item: ExternalItem,
  product: Product,
  names: Manufacturer,
): Steps<ItemFit | undefined> {
  const forms = new Set(item.partNumber === null ? [] : partNumberForms(item.partNumber))
  if (forms.size === 0) return undefined
  const isAsked = (text: string | null) => hasForm(forms, text)
  const same = sameMaker(item.manufacturer, product.manufacturer, names)
  const rated = (score: number, reason: string): ItemFit =>
    same === false
      ? { score: score * SCORES.otherMaker, reason: `${reason}, different manufacturer` }
      : { score, reason }
  if (isAsked(product.manufacturerPartNumber)) {
    return same
      ? { score: SCORES.made, reason: 'manufacturer and part number' }
      : rated(SCORES.partNumber, 'part number')
  }
  const offer = yield* findInSteps(product.vendors, ({ vendorPartNumber }) =>
    isAsked(vendorPartNumber),
  )
  if (offer) return rated(SCORES.vendor, `part number of the vendor ${offer.vendorName}`)
  return isAsked(product.id) ? rated(SCORES.id, 'part number matches the id') : undefined
}

const wordsIn = (texts: readonly (string | null)[]): Set<string> =>
  new Set(
    fold(texts.filter(Boolean).join(' '))
      .split(/[\s,;()/]+/)
      .map(normalisePartNumber)
      .filter((word) => word !== ''),
  )

function byWords(item: ExternalItem, product: Product, names: Manufacturer): ItemFit | undefined {
  const { name, description, manufacturer, manufacturerPartNumber } = product
  const wanted = [...wordsIn([item.name])]
  const known = wordsIn([name, description, manufacturer, manufacturerPartNumber])
  const found = wanted.filter((word) => known.has(word)).length
  const share = found / wanted.length
  if (wanted.length === 0 || share < FEWEST) return undefined
  const same = sameMaker(item.manufacturer, manufacturer, names)
  const bonus = same ? SCORES.maker : 0
  const score = (SCORES.words * share + bonus) * (same === false ? SCORES.otherMaker : 1)
  const words = `${found} of ${wanted.length} words`
  return { score, reason: same ? `manufacturer and ${words}` : words }
}
