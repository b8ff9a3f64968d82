/** The languages that a catalog can have, as ISO 639-1 codes. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language of catalogs that set none. */
export const DEFAULT_LANGUAGE: Language = 'en'

type Text = 'name' | 'description' | 'text' | 'types' | 'parts'

/**
 * The index field for a text, analyzed for the language. Each language has its own fields, which
 * only its catalogs fill. The English fields have no language code in their names.
 */
export const textField = (language: Language, text: Text): string =>
  language === 'en' ? `search.${text}` : `search.${language}.${text}`
