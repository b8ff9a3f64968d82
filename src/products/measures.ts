import { type Grammar, grammarOf } from '../languages/grammar.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'

/** A number with a unit, or dimensions joined by x, in a text. */
export interface Measure {
  /** Offset in the text; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /** Canonical terms (`25mm`, `25x62x18.25`), equal for equal measures in any notation. */
  readonly terms: readonly string[]
}

/** Units by the base unit, with their factors. Inches are not converted to meters. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mm: {
    mm: 1,
    millimeter: 1,
    cm: 10,
    zentimeter: 10,
    centimeter: 10,
    m: 1000,
    meter: 1000,
    metre: 1000,
    km: 1e6,
  },
  in: {
    in: 1,
    inch: 1,
    inche: 1,
    zoll: 1,
    '"': 1,
    '″': 1,
    '”': 1,
    "''": 1,
    ft: 12,
    foot: 12,
    feet: 12,
  },
  g: { mg: 0.001, g: 1, gram: 1, gramm: 1, kg: 1000, kilo: 1000, kilogram: 1000, kilogramm: 1000 },
  lb: { lb: 1, pound: 1, oz: 0.0625 },
  ml: { ml: 1, cl: 10, l: 1000, liter: 1000, litre: 1000 },
  mb: { kb: 0.001, mb: 1, gb: 1000, gigabyte: 1000, tb: 1e6, terabyte: 1e6 },
  'mb/s': { 'mb/s': 1, 'gb/s': 1000 },
  mbit: { 'mbit/s': 1, mbit: 1, mbp: 1, 'gbit/s': 1000, gbit: 1000, gbp: 1000 },
  hz: { hz: 1, hertz: 1, khz: 1000, mhz: 1e6, ghz: 1e9 },
  w: { mw: 0.001, w: 1, watt: 1, kw: 1000, kilowatt: 1000 },
  va: { va: 1, kva: 1000 },
  v: { mv: 0.001, v: 1, volt: 1, vdc: 1, vac: 1, kv: 1000 },
  a: { ma: 0.001, a: 1, amp: 1, ampere: 1 },
  ah: { mah: 0.001, ah: 1 },
  wh: { wh: 1, kwh: 1000 },
  nm: { nm: 1 },
  bar: { bar: 1 },
  k: { k: 1, kelvin: 1 },
  lm: { lm: 1, lumen: 1 },
  dpi: { dpi: 1 },
  rpm: { rpm: 1, 'u/min': 1 },
  mp: { mp: 1, megapixel: 1 },
}

const CANONICAL = new Map(
  Object.entries(UNITS).flatMap(([base, units]) =>
    Object.entries(units).map(([unit, factor]) => [unit, { base, factor }] as const),
  ),
)

const MOST_SIDES = 4
const MOST_DIGITS = 9
/** The most measures of a text. Those that matter come first. */
const MOST = 100

const NUMBER = /\d+(?:[.,]\d+)?/y
const FRACTION = /\d+\/\d+/y
const LETTERS = /\p{L}+/uy
const MARKS = ["''", '"', '″', '”']
const TIMES = / ?[xX×*] ?(?=\d)/y

const isLetterOrDigit = (letter = ''): boolean =>
  isDigit(letter) || (letter >= 'a' && letter <= 'z') || LETTER_OR_DIGIT.test(letter)
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** The measures of a folded text in order, at most 100. */
export function measuresIn(text: string, language: Language = DEFAULT_LANGUAGE): Measure[] {
  const grammar = grammarOf(language)
  const found: Measure[] = []
  for (let at = digitFrom(text, 0); at < text.length && found.length < MOST; ) {
    const before = text[at - 1]
    const isStart = !isDigit(before) && before !== '.' && before !== ','
    const measure = isStart ? measureAt(text, at, grammar) : undefined
    if (measure) found.push(measure)
    at = digitFrom(text, measure ? measure.end : at + 1)
  }
  return found
}

/** Offset of the next digit; the length of the text if there is none. */
function digitFrom(text: string, from: number): number {
  let at = from
  while (at < text.length && !isDigit(text[at])) at++
  return at
}

const isDigit = (letter = ''): boolean => letter >= '0' && letter <= '9'

function measureAt(text: string, from: number, grammar: Grammar): Measure | undefined {
  const start = threadAt(text, from) ?? from
  const isThread = start < from
  if (!isThread && isLetterOrDigit(text[from - 1])) return undefined
  const sides: { value: number; unit: string | undefined }[] = []
  let at = from
  for (;;) {
    const number = numberAt(text, at, grammar)
    if (!number) return undefined
    const unit = unitAt(text, number.end, grammar)
    sides.push({ value: number.value, unit: unit?.name })
    at = unit?.end ?? number.end
    if (sides.length > MOST_SIDES) return undefined
    const times = endOf(isThread && sides.length === 1 ? THREAD_TIMES : TIMES, text, at)
    if (times === undefined) break
    at = times
  }
  if (isLetterOrDigit(text[at])) return undefined
  const last = sides.at(-1)!.unit
  const terms = sides.flatMap(({ value, unit = last }, index) =>
    unit === undefined || (isThread && index === 0) ? [] : [termOf(value, unit)],
  )
  if (sides.length > 1) {
    const chain = sides.map(({ value }) => value)
    for (let length = 2; length <= chain.length; length++) {
      terms.push(`${isThread ? 'm' : ''}${chain.slice(0, length).join('x')}`)
    }
  }
  return terms.length === 0 ? undefined : { start, end: at, terms }
}

/** Offset of the thread (`M8`, `M 8`) whose number is at `at`; undefined if it is not one. */
function threadAt(text: string, at: number): number | undefined {
  const letter = text[at - 1] === ' ' ? at - 2 : at - 1
  const isM = text[letter] === 'm' || text[letter] === 'M'
  return isM && !isLetterOrDigit(text[letter - 1]) ? letter : undefined
}

/** A hyphen may follow a thread: the bolt `M8-40` is 40 mm long. */
const THREAD_TIMES = / ?[xX×*-] ?(?=\d)/y

function termOf(value: number, unit: string): string {
  const { base, factor } = CANONICAL.get(unit)!
  const amount = value * factor
  const isShort = Number.isInteger(amount) && amount < 10 ** MOST_DIGITS
  return `${isShort ? amount : Number(amount.toPrecision(MOST_DIGITS))}${base}`
}

/**
 * In English `1,5` is 1.5 and `1,500` is 1500. Elsewhere `1.5` is 1.5 and `1.500` is 1500. `1/2`,
 * `1-1/2` and `1 1/2` are fractions.
 */
function numberAt(
  text: string,
  at: number,
  { decimal }: Grammar,
): { value: number; end: number } | undefined {
  const end = endOf(NUMBER, text, at) ?? at
  const digits = text.slice(at, end)
  const fraction = text[end] === '/' ? fractionAt(text, at) : undefined
  if (fraction) return fraction
  // Leading zeros and many digits indicate a part number.
  const isPadded = digits[0] === '0' && isDigit(digits[1])
  if (digits === '' || isPadded || digits.length > MOST_DIGITS) return undefined
  const whole = numeralOf(digits, decimal)
  const mayGoOn = (text[end] === ' ' || text[end] === '-') && isDigit(text[end + 1])
  const rest = mayGoOn ? fractionAt(text, end + 1) : undefined
  return rest && Number.isInteger(whole) && rest.value < 1
    ? { value: whole + rest.value, end: rest.end }
    : { value: whole, end }
}

function numeralOf(digits: string, decimal: Grammar['decimal']): number {
  // A fast path: an import reads a lot of numbers, and most are integers.
  if (!digits.includes('.') && !digits.includes(',')) return Number(digits)
  const thousands = decimal === '.' ? /,(?=\d{3}$)/ : /(?<=^[1-9]\d{0,2})\.(?=\d{3}$)/
  return Number(digits.replace(thousands, '').replace(',', '.'))
}

function fractionAt(text: string, at: number): { value: number; end: number } | undefined {
  const end = endOf(FRACTION, text, at)
  if (end === undefined) return undefined
  const [over, under] = text.slice(at, end).split('/')
  return Number(under) === 0 ? undefined : { value: Number(over) / Number(under), end }
}

function unitAt(
  text: string,
  at: number,
  { units }: Grammar,
): { name: string; end: number } | undefined {
  let from = text[at] === ' ' ? at + 1 : at
  if (text[from] === '-') from++
  const end = endOf(LETTERS, text, from)
  if (end === undefined) {
    const mark = MARKS.find((candidate) => text.startsWith(candidate, from))
    return mark === undefined ? undefined : { name: mark, end: from + mark.length }
  }
  const letters = text.slice(from, end).toLowerCase()
  const isPer = (one: string) => text.slice(end, end + one.length).toLowerCase() === one
  const per = text[end] === '/' ? (PER.find(isPer) ?? '') : ''
  const singular = letters.endsWith('s') ? letters.slice(0, -1) : letters
  const name = known(letters + per, units) ?? known(letters, units) ?? known(singular, units)
  if (name === undefined) return undefined
  const stop = name.includes('/') ? end + per.length : end
  return isLetterOrDigit(text[stop]) ? undefined : { name, end: stop }
}

/** The unit with this name; undefined if there is none. */
function known(name: string, units: Grammar['units']): string | undefined {
  const unit = Object.hasOwn(units, name) ? units[name]! : name
  return CANONICAL.has(unit) ? unit : undefined
}

const PER = ['/s', '/min']

/** The unit at the end of a number's name, as `mm` in `Length (mm)`; empty if there is none. */
export const unitIn = (name: string): string =>
  name.endsWith(')') ? name.slice(name.lastIndexOf('(') + 1, -1) : ''

/** The measure at the end of a text whose unit is being typed, with terms for every candidate. */
export function unfinishedMeasure(
  text: string,
  language: Language = DEFAULT_LANGUAGE,
): Measure | undefined {
  let letters = text.length
  while (letters > 0 && /\p{L}/u.test(text[letters - 1]!)) letters--
  if (letters === text.length) return undefined
  const end = /[ -]/.test(text[letters - 1] ?? '') ? letters - 1 : letters
  let start = end
  while (start > 0 && /[\d.,/]/.test(text[start - 1]!)) start--
  if (!isDigit(text[start]) || isLetterOrDigit(text[start - 1])) return undefined
  const number = numberAt(text, start, grammarOf(language))
  if (number?.end !== end) return undefined
  const begun = text.slice(letters).toLowerCase()
  const units = [...CANONICAL.keys()].filter((unit) => unit.startsWith(begun))
  const terms = [...new Set(units.map((unit) => termOf(number.value, unit)))]
  return terms.length === 0 ? undefined : { start, end: text.length, terms }
}

/** Offset of the end of a match that starts at `at`; undefined if there is none. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
