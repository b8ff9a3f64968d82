import { randomInt } from 'node:crypto'

const pick = (signs: string) => signs[randomInt(signs.length)]!

/** A missing id of the same form, with the same word before `--`. */
export function missingId(id: string): string {
  const [, word = '', rest = id] = /^(.*--)([0-9a-f]{8})$/.exec(id) ?? []
  return (
    word +
    rest.replace(/[0-9a-fA-Fg-zG-Z]/g, (sign) => {
      if (/[0-9]/.test(sign)) return pick('0123456789')
      if (/[a-f]/.test(sign)) return pick('abcdef')
      return /[a-z]/.test(sign) ? pick('ghijklmnopqrstuvwxyz') : pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
    })
  )
}

/** Replaces names in a value wherever they occur; bytes are left unchanged. */
export function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    return [...names].reduce((text, [name, other]) => text.replaceAll(name, other), value)
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, names))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaced(item, names)]),
  )
}
