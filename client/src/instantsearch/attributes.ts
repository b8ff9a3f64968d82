/** InstantSearch's attribute names for what Aisle filters by. */

export const CATEGORY_LEVELS = [
  'categories.lvl0',
  'categories.lvl1',
  'categories.lvl2',
  'categories.lvl3',
] as const

const FACET = 'facet.'
const NUMBER = 'number.'

/** Escapes the characters at which InstantSearch ends a name. */
const encode = (name: string): string =>
  name.replace(/[%:<>=!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

export const facetAttribute = (name: string): string => FACET + encode(name)
export const numberAttribute = (name: string): string => NUMBER + encode(name)

const named = (prefix: string, attribute: string): string | undefined =>
  attribute.startsWith(prefix) ? decodeURIComponent(attribute.slice(prefix.length)) : undefined

/** The facet that an attribute stands for; undefined if it stands for none. */
export const facetName = (attribute: string): string | undefined => named(FACET, attribute)
/** The number that an attribute stands for; undefined if it stands for none. */
export const numberName = (attribute: string): string | undefined => named(NUMBER, attribute)

/** InstantSearch negates a value that begins with a minus unless a backslash stands before it. */
export const escapeValue = (value: string): string => (value.startsWith('-') ? `\\${value}` : value)
export const unescapeValue = (value: string): string =>
  value.startsWith('\\-') ? value.slice(1) : value
