/** Languages of catalogs, by their ISO 639-1 codes. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

/** What a catalog without a language is read as. */
export const DEFAULT_LANGUAGE: Language = 'en'

type Text = 'name' | 'description' | 'text' | 'types' | 'parts'

/**
 * The field of the index that has such a text of products, as its language analyses it. Each language
 * has fields of its own, filled in its catalogs alone; English has the ones without a code.
 */
export const textField = (language: Language, text: Text): string =>
  language === 'en' ? `search.${text}` : `search.${language}.${text}`
