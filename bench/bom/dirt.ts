import type { Random } from '../../demo/random.ts'
import { KNOWN_MANUFACTURERS } from '../../src/products/known-manufacturers.ts'

/** A part number as people write it when they copy it by hand or from another system. */
export function dirtyNumber(number: string, random: Random): string {
  const kind = random.whole(0, 9)
  if (kind < 3) return number
  if (kind < 5) return number.replace(/[^\p{L}\p{N}\s]/gu, '')
  if (kind === 5) return number.toLowerCase()
  if (kind === 6) return number.toUpperCase()
  if (kind === 7) return number.replace(/[-/.]/g, ' ').replace(/\s+/g, ' ').trim()
  if (kind === 8) return withBreak(number, random)
  return ` ${number} `
}

/** Inserts a space, as a line break or a slip does. */
function withBreak(number: string, random: Random): string {
  if (number.length < 4) return number
  const at = random.whole(2, number.length - 2)
  return `${number.slice(0, at)} ${number.slice(at)}`
}

const LEGAL_FORMS = ['Inc.', 'GmbH', 'Corp.', 'Ltd', 'AG', 'Corporation']
const aliases = new Map(KNOWN_MANUFACTURERS.map((names) => [names[0]!, names]))

/** A manufacturer by one of its names, in varying case. */
export function dirtyMaker(maker: string, random: Random): string {
  const kind = random.whole(0, 5)
  if (kind === 0) return random.pick(aliases.get(maker) ?? [maker])
  if (kind === 1) return `${maker} ${random.pick(LEGAL_FORMS)}`
  if (kind === 2) return maker.toUpperCase()
  if (kind === 3) return maker.toLowerCase()
  return maker
}

const AROUND: readonly ((line: string, count: number) => string)[] = [
  (line, count) => `${count}x ${line}`,
  (line, count) => `${count} x ${line}`,
  (line, count) => `${line} x${count}`,
  (line, count) => `${line} ${count} Stk`,
  (line, count) => `${count} Stück ${line}`,
  (line, count) => `${line}, ${count} pcs`,
  (line, count) => `qty ${count} ${line}`,
  (line, count) => `${line} (qty: ${count})`,
  (line, count) => `Menge: ${count}, ${line}`,
]

/** Adds a quantity in words around a line of text. */
export const withQuantity = (line: string, count: number, random: Random): string =>
  random.pick(AROUND)(line, count)

const CELLS: readonly ((count: number) => string)[] = [
  String,
  String,
  (count) => `${count}x`,
  (count) => `${count} pcs`,
  (count) => `${count} Stk`,
  (count) => `${count}.0`,
]

/** The cell of a table that contains a quantity. */
export const quantityCell = (count: number, random: Random): string => random.pick(CELLS)(count)

/** A description from memory: with words missing and in varying case. */
export function dirtyWords(text: string, random: Random): string {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const kept = words.filter(() => !random.chance(0.15))
  const line = (kept.length > 1 ? kept : words).join(' ')
  return random.chance(0.3) ? line.toLowerCase() : line
}

/** A number of the same pattern that no product has. */
export function inventedNumber(
  number: string,
  random: Random,
  isTaken: (number: string) => boolean,
): string {
  const pattern = /\d/.test(number) && !/\s/.test(number) && number.length > 3 ? number : 'QX-70419'
  while (true) {
    const made = pattern.replace(/[A-Za-z0-9]/g, (sign) => {
      if (/\d/.test(sign)) return String(random.whole(0, 9))
      return random.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ'])
    })
    if (!isTaken(made)) return made
  }
}
