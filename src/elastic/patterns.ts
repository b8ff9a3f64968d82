/** The text itself in Elasticsearch's regular expressions: every mark escaped, letters never. */
export const literal = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Every term that begins with the text. */
export const prefixPattern = (prefix: string): string => `${literal(prefix)}.*`

/** Every term that begins with `prefix` and has `text` somewhere behind it. */
export const containsPattern = (prefix: string, text: string): string =>
  `${literal(prefix)}.*${literal(text)}.*`
