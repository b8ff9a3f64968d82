import { limits } from '../limits.ts'
import { memoize } from '../platform/memoize.ts'
import { unitIn } from '../products/measures.ts'
import type { Product } from '../products/product.ts'
import { partNumberForms } from '../text.ts'
import { type MatchedField, type NamedMatch, OTHER_MATCHES } from './clause-names.ts'
import { DEGREES, foundTexts, type TextBudget } from './found-texts.ts'

/** The product fields in which a match can be. `text` stands for any that cannot be told apart. */
export const LOCATION_FIELDS = [
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
type LocationField = (typeof LOCATION_FIELDS)[number]

/** How a word matched: as typed, in another form, inside a longer word, or in another way. */
export const MATCH_KINDS = [...DEGREES, ...OTHER_MATCHES] as const
type MatchKind = (typeof MATCH_KINDS)[number]

export interface MatchLocation {
  readonly how: MatchKind
  readonly field: LocationField
  /** Name of the attribute, the facet or the number. */
  readonly name?: string
}

interface Value {
  readonly field: LocationField
  readonly name?: string
  readonly text: string
}

export interface LookedFor extends NamedMatch {
  /** The terms of a number with its unit. */
  readonly measures?: readonly string[] | undefined
}

/** Locates index matches in a product. Looks at no more than `length` characters of its texts. */
export function createMatchLocator(
  product: Product,
  length: number = limits.explainedLength,
): (lookedFor: LookedFor) => MatchLocation {
  const budget: TextBudget = { left: length }
  const textsOf = memoize((field: MatchedField) => foundTexts(valuesIn(product, field), budget))
  const textsIn = (field: MatchedField) =>
    textsOf(field === 'name.whole' ? 'name' : field === 'words' ? 'parts' : field)
  let numbers: readonly NumberForms[] | undefined
  return ({ field, way, text, measures = [] }) => {
    const named = (
      how: MatchKind,
      value: Value | undefined,
      other: LocationField,
    ): MatchLocation => ({
      how,
      field: value?.field ?? other,
      ...(value?.name === undefined ? {} : { name: value.name }),
    })
    if (field === 'partNumbers') {
      numbers ??= numbersOf(product)
      return named(way as MatchKind, numberWith(numbers, text, way), 'text')
    }
    const texts = textsIn(field)
    if (field === 'measures') return named('measure', texts.measuring(measures), 'text')
    const other = field === 'name' || field === 'name.whole' ? 'name' : field
    const fallback = other === 'name' || other === 'description' ? other : 'text'
    if (field === 'words') return named('prefix', texts.begunBy(text), fallback)
    const best = texts.best(text)
    return named(way === 'word' ? (best?.how ?? 'form') : way, best?.value, fallback)
  }
}

const NAMED_VALUES = ['attribute', 'facet'] as const
const affirms = (value: string): boolean => /^(?:yes|y|true)$/i.test(value)

const fieldValue = (field: LocationField, text: string | null): Value[] =>
  text === null ? [] : [{ field, text }]

/** The values of a product that an index field contains. */
function valuesIn(product: Product, field: MatchedField): Value[] {
  const name = fieldValue('name', product.name)
  const description = fieldValue('description', product.description)
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
    ...fieldValue('manufacturer', product.manufacturer),
    ...fieldValue('manufacturerPartNumber', product.manufacturerPartNumber),
    ...fieldValue('segment', product.segment),
    ...fieldValue('category', product.category),
    ...fieldValue('subCategory', product.subCategory),
    ...named,
    ...product.vendors.flatMap(({ name }) => fieldValue('vendor', name)),
  ]
}

interface NumberForms {
  readonly value: Value
  readonly forms: readonly string[]
}

/** The part numbers of a product, with the forms in which they can be found. */
const numbersOf = (product: Product): NumberForms[] =>
  [
    ...fieldValue('manufacturerPartNumber', product.manufacturerPartNumber),
    ...fieldValue('id', product.id),
    ...product.vendors.flatMap((offer) => fieldValue('vendorPartNumber', offer.vendorPartNumber)),
    ...product.upcs.flatMap((upc) => fieldValue('upc', upc)),
  ].map((value) => ({ value, forms: partNumberForms(value.text) }))

/** The part number that matches a normalized form. */
function numberWith(
  numbers: readonly NumberForms[],
  form: string,
  way: NamedMatch['way'],
): Value | undefined {
  const wanted = partNumberForms(form)
  const found = numbers.find(({ forms }) =>
    forms.some((number) => {
      if (way === 'partNumber') return wanted.includes(number)
      return way === 'partNumberInside' ? number.includes(form) : number.startsWith(form)
    }),
  )
  return found?.value
}
