import { limits } from '../limits.ts'
import { formOf, type Way, waysOf } from './variants.ts'

/** The text itself in Elasticsearch's regular expressions: every mark escaped, letters never. */
export const literal = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Every term that begins with the text. */
export const prefixPattern = (prefix: string): string => `${literal(prefix)}.*`

/** Characters of a pattern's inside: it and a name stay below `max_regex_length` of products. */
const LONGEST = 9_000

/** Terms that begin with `prefix` and then hold `text` somewhere, whatever its case and accents. */
export function insidePattern(prefix: string, text: string): string {
  const typed = [...text]
  const form = typed.map(formOf).join('').replace(/ +/g, ' ').trim()
  const letters = bounded([...form].slice(0, limits.facetSearchLength))
  const marks = typed.filter((one) => formOf(one) === '').join('')
  let inside = ''
  for (const ways of groupsOf(waysOf(letters, typed), letters.length)) {
    const more = written(ways, marks)
    if (inside.length + more.length > LONGEST) break
    inside += more
  }
  return `${literal(prefix)}.*${inside}.*`
}

/** Elasticsearch refuses an automaton of two to three times as many. */
const MOST_OVERLAPS = 400

/** A text that repeats itself costs by the square of its length. Less text finds more, which is fine. */
function bounded(letters: readonly string[]): readonly string[] {
  let overlaps = 0
  for (let end = 1; end <= letters.length; end++) {
    for (let length = 1; length <= end; length++) {
      const begins = letters.slice(end - length, end).every((letter, at) => letter === letters[at])
      if (begins) overlaps++
    }
    if (overlaps > MOST_OVERLAPS) return letters.slice(0, end)
  }
  return letters
}

/** Accents that stand behind their letter. */
const MARKS = String.fromCharCode(...Array.from({ length: 0x70 }, (_, at) => 0x300 + at))

/** One of the characters of a way, and the marks on it: those of the text, accents on any letter. */
function one({ characters }: Way, marks: string): string {
  const accents = /\p{Lu}/u.test(characters) ? MARKS + marks : marks
  return oneOf(characters) + (accents === '' ? '' : `${oneOf(accents)}*`)
}

/** Any of some characters; neighbours as a range. A gap may be several characters long. */
function oneOf(characters: string): string {
  const codes = [...new Set(characters)].map((one) => one.codePointAt(0)!).sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const show = (code: number) => literal(String.fromCodePoint(code))
  const parts = ranges.map(([first, last]) =>
    first === last ? show(first) : `${show(first)}${last - first > 1 ? '-' : ''}${show(last)}`,
  )
  const plain = codes.length === 1 ? parts[0]! : `[${parts.join('')}]`
  return codes.includes(SPACE) ? `${plain}+` : plain
}

const SPACE = 0x20

/** Ways that meet or cross, together; none leads from one group into another. */
function groupsOf(ways: readonly Way[], length: number): Way[][] {
  const groups: Way[][] = []
  for (let from = 0, to = 0; from < length; from = to) {
    const group: Way[] = []
    to = from + 1
    for (const way of ways) {
      if (way.from < from || way.from >= to) continue
      group.push(way)
      to = Math.max(to, way.to)
    }
    groups.push(group)
  }
  return groups
}

/** Letters that stand together in more ways than one, as in `ffi`: of so many all ways are tried. */
const TOGETHER = 6

function written(ways: readonly Way[], marks: string): string {
  const from = ways[0]!.from
  const to = Math.max(...ways.map((way) => way.to))
  if (to - from <= TOGETHER) return either(paths(ways, { from, to }, marks))
  let text = ''
  for (let at = from; at < to; ) {
    const longest = ways.findLast((way) => way.from === at && way.to > at + 1)
    const end = longest?.to ?? at + 1
    const letters = ways.filter((way) => way.from >= at && way.to <= end && isSingle(way))
    const plain = letters.map((way) => one(way, marks)).join('')
    text += either(longest ? [plain, one(longest, marks)] : [plain])
    at = end
  }
  return text
}

const isSingle = ({ from, to }: Way): boolean => to === from + 1

const either = (texts: readonly string[]): string =>
  texts.length === 1 ? texts[0]! : `(${texts.join('|')})`

/** Every sequence of ways from one place to another. */
function paths(
  ways: readonly Way[],
  { from, to }: Pick<Way, 'from' | 'to'>,
  marks: string,
): string[] {
  if (from === to) return ['']
  return ways
    .filter((way) => way.from === from)
    .flatMap((way) =>
      paths(ways, { from: way.to, to }, marks).map((rest) => one(way, marks) + rest),
    )
}
