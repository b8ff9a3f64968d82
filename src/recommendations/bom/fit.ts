import { fold, normalisePartNumber, partNumberForms } from '../../text.ts'
import type { Identifier } from './identifiers.ts'
import type { AskedLine } from './line.ts'
import { isSameMaker, type Makers } from './makers.ts'
import type { JudgedProduct } from './product.ts'
import { type JudgedText, judgedTextOf, type Likeness, likenessOf } from './words.ts'

/** The number of a product that equals an identifier of a line. */
export interface NumberFit {
  readonly identifier: Identifier
  readonly kind: 'partNumber' | 'vendorPartNumber' | 'gtin' | 'id'
  /** Whether they are equal apart from case, and not only without punctuation. */
  readonly exact: boolean
}

/** A product that a line may mean. */
export type ProductCandidate = {
  readonly product: JudgedProduct
  /** The best fit first. */
  readonly fits: readonly NumberFit[]
  /** Whether line and product have the same manufacturer; undefined when one is not known. */
  readonly sameMaker: boolean | undefined
} & Likeness

const wordsIn = (fits: readonly NumberFit[]): Set<string> =>
  new Set(fits.flatMap(({ identifier }) => identifier.text.split(' ').map(normalisePartNumber)))

const KINDS = ['partNumber', 'gtin', 'vendorPartNumber', 'id'] as const

/** A product, prepared for the comparison with lines. */
export interface ReadProduct {
  readonly product: JudgedProduct
  readonly numbers: readonly ProductNumber[]
  readonly text: JudgedText
}

export const readProduct = (product: JudgedProduct): ReadProduct => ({
  product,
  numbers: numbersOf(product),
  text: judgedTextOf(product),
})

/** Compares a line with a product. */
export function candidateOf(
  line: AskedLine,
  { product, numbers, text }: ReadProduct,
  makers: Makers,
): ProductCandidate {
  const fits = fitsOf(line, numbers)
  return {
    product,
    fits,
    sameMaker: sameMaker(line, { product, fits }, makers),
    ...likenessOf(line.words, text, wordsIn(fits)),
  }
}

function fitsOf({ identifiers }: AskedLine, numbers: readonly ProductNumber[]): NumberFit[] {
  const fits = identifiers.flatMap((identifier) =>
    numbers.flatMap(({ kind, text, forms }): NumberFit[] => {
      if (!identifier.forms.some((form) => forms.includes(form))) return []
      return [{ identifier, kind, exact: fold(identifier.text) === fold(text) }]
    }),
  )
  return fits.toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ identifier, kind, exact }: NumberFit): number =>
  (identifier.stated ? 0 : 100) + KINDS.indexOf(kind) * 2 + (exact ? 0 : 1)

interface ProductNumber extends Pick<NumberFit, 'kind'> {
  readonly text: string
  readonly forms: readonly string[]
}

function numbersOf({
  id,
  manufacturerPartNumber,
  upcs = [],
  vendors = [],
}: JudgedProduct): ProductNumber[] {
  const number = (kind: NumberFit['kind'], text: string | null | undefined) =>
    text ? [{ kind, text, forms: partNumberForms(text) }] : []
  return [
    ...number('partNumber', manufacturerPartNumber),
    ...upcs.flatMap((upc) => number('gtin', upc)),
    ...vendors.flatMap(({ vendorPartNumber }) => number('vendorPartNumber', vendorPartNumber)),
    ...number('id', id),
  ]
}

/**
 * Compares manufacturers. An unknown name is no contradiction, since it may be another spelling.
 */
function sameMaker(
  { maker }: AskedLine,
  { product: { manufacturer }, fits }: { product: JudgedProduct; fits: readonly NumberFit[] },
  makers: Makers,
): boolean | undefined {
  if (!maker || !manufacturer) return undefined
  const form = makers.form(manufacturer)
  if (maker.forms.some((one) => isSameMaker(one, form))) return true
  const isPartOfNumber = fits.some(({ identifier }) => identifier.text === maker.inside)
  return maker.stated && maker.known && !isPartOfNumber ? false : undefined
}
