import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

// Tab, line feed and carriage return are text; other control characters are separators of ours.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Throws Invalid for text that could not be stored, matched or shown faithfully. */
export function checkText(text: string, path: string): void {
  if (!text.isWellFormed()) throw new Invalid(`${path}: an unpaired surrogate is not text`)
  if (CONTROL.test(text)) throw new Invalid(`${path}: control characters are not allowed`)
}

/** Throws Invalid for what zod would drop silently or what nests too deep. */
export function checkValue(value: unknown, path = 'body', depth = 1): void {
  if (typeof value === 'string') checkText(value, path)
  if (typeof value !== 'object' || value === null) return
  if (depth > limits.jsonDepth) throw new Invalid(`${path}: nested deeper than ${limits.jsonDepth}`)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkValue(item, `${path}[${index}]`, depth + 1)
    return
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new Invalid(`${path}: __proto__ is not allowed as a name`)
    checkText(key, path)
    // Whoever is told of it needs no name without end.
    const name = key.length > limits.nameLength ? '…' : key
    checkValue((value as Record<string, unknown>)[key], `${path}.${name}`, depth + 1)
  }
}
