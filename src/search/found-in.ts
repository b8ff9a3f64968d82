import { singular } from '../products/catalog-words.ts'
import { measuresIn, unitIn } from '../products/measures.ts'
import type { Product } from '../products/product.ts'
import { fold, foldedWords, normalisePartNumber, partNumberForms } from '../text.ts'
import type { MatchedField, Way } from './clause-names.ts'

/** The fields of a product in which something can be found; `text` is one of those that are not told apart. */
export const FOUND_FIELDS = [
  'name',
  'description',
  'manufacturer',
  'manufacturerPartNumber',
  'segment',
  'category',
  'subCategory',
  'vendor',
  'attribute',
  'facet',
  'filter',
  'id',
  'vendorPartNumber',
  'upc',
  'text',
] as const
type FoundField = (typeof FOUND_FIELDS)[number]

/** As what a word was found: as it was typed, in another form, inside a longer word, or otherwise. */
export const FOUND_AS = [
  'exact',
  'form',
  'part',
  'measure',
  'compound',
  'synonym',
  'spelling',
  'prefix',
  'partNumber',
  'partNumberPrefix',
  'partNumberInside',
] as const
type FoundAs = (typeof FOUND_AS)[number]

export interface FoundIn {
  readonly how: FoundAs
  readonly field: FoundField
  /** Which attribute, facet or number. */
  readonly name?: string
}

interface Value {
  readonly field: FoundField
  readonly name?: string
  readonly text: string
}

export interface LookedFor {
  readonly field: MatchedField
  readonly way: Way
  readonly text: string
  /** The terms of a number with its unit. */
  readonly measures?: readonly string[] | undefined
}

/** Where in a product is what the index found of it. */
export function foundIn(product: Product, lookedFor: LookedFor): FoundIn {
  const { field, way, text, measures = [] } = lookedFor
  const named = (how: FoundAs, value: Value | undefined, other: FoundField): FoundIn => ({
    how,
    field: value?.field ?? other,
    ...(value?.name === undefined ? {} : { name: value.name }),
  })
  if (field === 'partNumbers') {
    return named(way as FoundAs, numberWith(product, text, way), 'text')
  }
  const values = valuesIn(product, field)
  if (field === 'measures') return named('measure', values.find(hasMeasure(measures)), 'text')
  const other = field === 'name' || field === 'name.whole' ? 'name' : field
  const fallback = other === 'name' || other === 'description' ? other : 'text'
  if (field === 'words') return named('prefix', values.find(hasBeginning(text)), fallback)
  const best = bestOf(values, text)
  return named(way === 'word' ? (best?.how ?? 'form') : (way as FoundAs), best?.value, fallback)
}

const NAMED_VALUES = ['attribute', 'facet'] as const
const affirms = (value: string): boolean => /^(?:yes|y|true)$/i.test(value)

const of = (field: FoundField, text: string | null): Value[] =>
  text === null ? [] : [{ field, text }]

/** What an index field is made of. */
function valuesIn(product: Product, field: MatchedField): Value[] {
  const name = of('name', product.name)
  const description = of('description', product.description)
  if (field === 'name' || field === 'name.whole') return name
  if (field === 'description') return description
  const named = NAMED_VALUES.flatMap((field) =>
    Object.entries(product[`${field}s`]).map(([name, value]) => ({
      field,
      name,
      text: affirms(value) ? name : value,
    })),
  )
  if (field === 'measures') {
    const numbers = Object.entries(product.filters).map(([name, value]) => ({
      field: 'filter' as const,
      name,
      text: `${value} ${unitIn(name)}`,
    }))
    return [...name, ...description, ...named, ...numbers]
  }
  return [
    ...(field === 'words' || field === 'parts' ? name : []),
    ...of('manufacturer', product.manufacturer),
    ...of('manufacturerPartNumber', product.manufacturerPartNumber),
    ...of('segment', product.segment),
    ...of('category', product.category),
    ...of('subCategory', product.subCategory),
    ...named,
    ...product.vendors.flatMap(({ name }) => of('vendor', name)),
  ]
}

const hasBeginning =
  (text: string) =>
  (value: Value): boolean =>
    foldedWords(value.text).some((piece) => piece.startsWith(text))

const hasMeasure =
  (terms: readonly string[]) =>
  ({ text }: Value): boolean =>
    measuresIn(fold(text)).some((measure) => measure.terms.some((term) => terms.includes(term)))

const DEGREES = ['exact', 'form', 'part'] as const

/** The value that has a text most as it is. */
function bestOf(values: readonly Value[], text: string) {
  const found = values.flatMap((value) => {
    const how = howIn(value.text, text)
    return how ? [{ how, value }] : []
  })
  return DEGREES.map((degree) => found.find(({ how }) => how === degree)).find(Boolean)
}

function howIn(value: string, text: string): (typeof DEGREES)[number] | undefined {
  const pieces = new Set(foldedWords(value))
  const wanted = foldedWords(text)
  if (wanted.every((piece) => pieces.has(piece))) return 'exact'
  const forms = new Set([...pieces].map(singular))
  if (wanted.every((piece) => forms.has(singular(piece)))) return 'form'
  return normalisePartNumber(value).includes(normalisePartNumber(text)) ? 'part' : undefined
}

/** The number that was found by its normalised form. */
function numberWith(product: Product, form: string, way: Way): Value | undefined {
  const numbers: Value[] = [
    ...of('manufacturerPartNumber', product.manufacturerPartNumber),
    ...of('id', product.id),
    ...product.vendors.flatMap((offer) => of('vendorPartNumber', offer.vendorPartNumber)),
    ...product.upcs.flatMap((upc) => of('upc', upc)),
  ]
  const wanted = partNumberForms(form)
  return numbers.find(({ text }) =>
    partNumberForms(text).some((number) => {
      if (way === 'partNumber') return wanted.includes(number)
      return way === 'partNumberInside' ? number.includes(form) : number.startsWith(form)
    }),
  )
}
