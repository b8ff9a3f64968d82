/** Escapes text for Elasticsearch's regular expressions: every punctuation mark, no letter. */
export const literal = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Matches terms that begin with the text. */
export const prefixPattern = (prefix: string): string => `${literal(prefix)}.*`

/** Matches terms that begin with `prefix` and contain `text` after it. */
export const containsPattern = (prefix: string, text: string): string =>
  `${literal(prefix)}.*${literal(text)}.*`
