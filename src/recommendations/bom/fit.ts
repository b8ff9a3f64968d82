import { mapSteps, type Steps } from '../../platform/steps.ts'
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
  /** Without what was compared, since the candidates of a whole list are held. */
  readonly product: Pick<JudgedProduct, 'id' | 'name' | 'manufacturerPartNumber'>
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

/** Prepares a product, each of its up to 1,000 numbers in a step. */
export function* readProduct(product: JudgedProduct): Steps<ReadProduct> {
  const numbers = yield* mapSteps(numbersOf(product), ({ kind, text }) => ({
    kind,
    text,
    forms: partNumberForms(text),
  }))
  const others = numbers.filter(({ kind }) => kind !== 'partNumber')
  const text = judgedTextOf(
    product,
    others.flatMap(({ forms }) => forms),
  )
  return { product, numbers, text }
}

/** Compares a line with a product. */
export function candidateOf(
  line: AskedLine,
  { product, numbers, text }: ReadProduct,
  makers: Makers,
): ProductCandidate {
  const fits = fitsOf(line, numbers)
  const { id, name, manufacturerPartNumber } = product
  return {
    product: { id, name, manufacturerPartNumber },
    fits,
    sameMaker: sameMaker(line, { product, fits }, makers),
    ...likenessOf(line.words, text, wordsIn(fits)),
  }
}

function fitsOf({ identifiers }: AskedLine, numbers: readonly ProductNumber[]): NumberFit[] {
  const fits = identifiers.flatMap((identifier) => {
    const fitting = numbers.filter(({ forms }) =>
      identifier.forms.some((form) => forms.includes(form)),
    )
    if (fitting.length === 0) return []
    const folded = fold(identifier.text)
    // Many offers may have the same number.
    const found = new Map<number, NumberFit>()
    for (const { kind, text } of fitting) {
      const fit = { identifier, kind, exact: folded === fold(text) }
      found.set(rank(fit), fit)
    }
    return [...found.values()]
  })
  return fits.toSorted((a, b) => rank(a) - rank(b))
}

const rank = ({ identifier, kind, exact }: NumberFit): number =>
  (identifier.stated ? 0 : 100) + KINDS.indexOf(kind) * 2 + (exact ? 0 : 1)

interface NamedNumber extends Pick<NumberFit, 'kind'> {
  readonly text: string
}

interface ProductNumber extends NamedNumber {
  readonly forms: readonly string[]
}

function numbersOf({
  id,
  manufacturerPartNumber,
  upcs = [],
  vendors = [],
}: JudgedProduct): NamedNumber[] {
  const number = (kind: NumberFit['kind'], text: string | null | undefined) =>
    text ? [{ kind, text }] : []
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
