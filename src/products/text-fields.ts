import { compoundParts, hasCompounds } from '../languages/compounds.ts'
import { grammarOf } from '../languages/grammar.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { limits } from '../limits.ts'
import { fold } from '../text.ts'
import { comparedWords, foldedTexts } from './catalog-words.ts'
import { measuresIn, unitIn } from './measures.ts'
import type { Product } from './product.ts'
import { productTypes } from './product-type.ts'

interface ProductTexts {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly text?: readonly string[]
  /** The product types. English has them in `search.roles`. */
  readonly types?: readonly string[]
  /** The parts of compounds in name and text. */
  readonly parts?: readonly string[]
}

/**
 * The fields of `search` in which words are looked for. Analyzed texts are at the top level in
 * English, else below the language code. `facets` are those of facetsOf, `tag` is that of the catalog.
 */
export function textFields(
  product: Product,
  facets: FacetValues,
  { tag, language }: { readonly tag: string; readonly language: Language },
) {
  const text = wordsOf(product, facets, language)
  const parts = partsOf([product.name ?? '', ...text], language)
  return {
    ...analysed(product, { text, parts }, language),
    words: comparedWords([product.name ?? '', ...text, ...parts], language).map(
      (word) => tag + word,
    ),
    measures: measuresOf(product, facets, language),
  }
}

function analysed(
  product: Product,
  { text, parts }: Required<Pick<ProductTexts, 'text' | 'parts'>>,
  language: Language,
): ProductTexts & Partial<Record<Language, ProductTexts>> {
  const { name, description } = product
  const texts = { name: name ?? undefined, description: description ?? undefined, text }
  if (language === 'en') return texts
  const types = productTypes(product, language)
  // The last part of a compound is a type, too: an `Akkuschrauber` is a `Schrauber`.
  const heads = types.flatMap((type) => compoundParts(type, language).slice(-1))
  return {
    [language]: {
      ...texts,
      types: [...types, ...heads],
      ...(parts.length > 0 ? { parts } : {}),
    },
  }
}

function partsOf(texts: readonly string[], language: Language): string[] {
  if (!hasCompounds(language)) return []
  const words = new Set(foldedTexts(texts).flatMap((text) => text.match(/\p{L}+/gu) ?? []))
  const parts = [...words].flatMap((word) => compoundParts(word, language))
  return [...new Set(parts)].slice(0, limits.productWords)
}

type FacetValues = readonly (readonly [name: string, value: string])[]

/** Facets and options, which are found and counted like facets, also those of the same name. */
export const facetsOf = ({ facets, options }: Product): FacetValues =>
  Object.entries(facets).concat(options ? Object.entries(options) : [])

/** All texts except name and description. An affirmative value (`yes`) is replaced by its name. */
function wordsOf(product: Product, facets: FacetValues, language: Language): string[] {
  const { affirmative } = grammarOf(language)
  const affirms = (value: string) => value.length < 5 && affirmative.has(fold(value))
  const words = new Set<string>()
  const add = (text: string | null) => {
    if (text !== null) words.add(text)
  }
  add(product.manufacturer)
  add(product.manufacturerPartNumber)
  add(product.segment)
  add(product.category)
  add(product.subCategory)
  for (const offer of product.vendors) add(offer.name)
  for (const named of [Object.entries(product.attributes), facets]) {
    for (const [name, value] of named) add(affirms(value) ? name : value)
  }
  return [...words]
}

/** Measures in texts, and in `filters` whose names have a unit (`Length (mm)`). */
function measuresOf(product: Product, facets: FacetValues, language: Language): string[] {
  const { name, description, attributes, filters } = product
  const texts = [
    name ?? '',
    description ?? '',
    ...Object.values(attributes),
    ...facets.map(([, value]) => value),
  ]
  const found = new Set<string>()
  const note = (text: string, written: Language) => {
    for (const { terms } of measuresIn(text, written)) for (const term of terms) found.add(term)
  }
  for (const text of foldedTexts(texts)) note(text, language)
  for (const key of Object.keys(filters)) {
    const unit = unitIn(key)
    // JavaScript writes numbers with a decimal point, as in English.
    if (unit !== '') note(fold(`${filters[key]} ${unit}`), DEFAULT_LANGUAGE)
  }
  return [...found].slice(0, limits.productWords)
}
