import { fold, wordSet } from '../../text.ts'
import { saysNothing } from './stock-words.ts'

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const POINTS = /^(\d{1,2})([.-])(\d{1,2})\2(\d{4})$/
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/
/** How systems write that there is no date. */
const NONE = /^[0./-]+$/

/** Anything in the form of a date. */
const DATES = /\d{1,4}([-/.])\d{1,2}\1\d{1,4}/g
/** A time behind a date, folded, as systems and spreadsheets write it. */
const TIME =
  /^(?:t|,? ?)\d{1,2}(?::?\d{2}){0,2}(?:[.,]\d{1,9})? ?(?:[ap]\.?m\.?|uhr|h)? ?(?:z|utc|gmt|cet|cest)?(?:[+-]\d{2}:?\d{2})?/
/** What stands between both dates of a period, folded. */
const BETWEEN = wordSet(' ', [
  '',
  '/ - – — ~ | ; , .. ... … to until till through bis au al a tot hasta t/m',
])

/** Formats a day as `YYYY-MM-DD`; undefined for an invalid one such as `2026-24-12`. */
function day(year: string, month: string, date: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : year
  const text = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = new Date(Date.UTC(Number(full), Number(month) - 1, Number(date)))
  return time.toISOString().startsWith(text) ? text : undefined
}

/**
 * Whether dates with slashes have the day first, by the unambiguous ones; undefined if there are
 * none.
 */
export function daysFirst(texts: Iterable<string>): boolean | undefined {
  let days = 0
  for (const text of texts) {
    for (const [date] of text.matchAll(DATES)) {
      const [, first, second] = SLASHES.exec(date) ?? []
      days += Number(Number(first) > 12) - Number(Number(second) > 12)
    }
  }
  return days === 0 ? undefined : days > 0
}

/** Converts a date in a common format to `YYYY-MM-DD`; empty for a sign that there is none. */
function dayOf(text: string, isDayFirst: boolean): string | undefined {
  if (NONE.test(text)) return ''
  const [, year, month, date] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return day(year, month!, date!)
  const [, first, between, second, last] = POINTS.exec(text) ?? []
  if (first !== undefined) {
    const american = between === '-' ? day(last!, first, second!) : undefined
    return day(last!, second!, first) ?? american
  }
  const [, left, right, short] = SLASHES.exec(text) ?? []
  if (left === undefined) return undefined
  const [american, european] = [day(short!, left, right!), day(short!, right!, left)]
  return isDayFirst ? (european ?? american) : (american ?? european)
}

/**
 * The date in a cell, or both dates of a period, as `YYYY-MM-DD`, with or without times. Empty for
 * a sign that there is none, undefined for other text. `isDayFirst` decides ambiguous dates such
 * as 2/1/2026.
 */
export function datesOf(text: string, isDayFirst = false): readonly string[] | undefined {
  const cell = fold(text)
  if (cell === '' || NONE.test(cell) || saysNothing(cell)) return []
  const found = [...cell.matchAll(DATES)]
  if (found[0]?.index !== 0 || found.length > 2) return undefined
  const behind = found.map(({ index, 0: date }, at) =>
    cell
      .slice(index + date.length, found[at + 1]?.index)
      .replace(TIME, '')
      .trim(),
  )
  const isRead = isOpenEnd(behind.pop()!) && behind.every((words) => BETWEEN.has(words))
  const days = found.map(([date]) => dayOf(date, isDayFirst))
  return isRead && days.every((one) => one !== undefined) ? days : undefined
}

/** Whether nothing follows the last date, or only that the period has no end. */
function isOpenEnd(text: string): boolean {
  const end = text.replace(/^[-/–—~]/, '').trim()
  return end === '' || NONE.test(end) || saysNothing(end)
}
