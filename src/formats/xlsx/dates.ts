const DAY_SECONDS = 24 * 60 * 60
/** Days from the origin of a workbook to 1970-01-01. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
/** 1900 was not a leap year, but workbooks treat it as one, so earlier days are off by one. */
const FALSE_LEAP_DAY = 60
/** 9999-12-31 */
const LAST = 2_958_466

const two = (number: number): string => String(number).padStart(2, '0')

/**
 * Converts a serial day to ISO text: a date, a time of day, or both, depending on its value.
 * Undefined for an invalid one.
 */
export function dateText(serial: number, is1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= LAST) return undefined
  const seconds = Math.round(serial * DAY_SECONDS)
  const day = Math.floor(seconds / DAY_SECONDS)
  const time = timeText(seconds % DAY_SECONDS)
  if (day === 0) return is1904 && seconds === 0 ? '1904-01-01' : time
  const early = !is1904 && day < FALSE_LEAP_DAY ? 1 : 0
  const days = day + early - (is1904 ? EPOCH_1904 : EPOCH_1900)
  const date = new Date(days * DAY_SECONDS * 1000).toISOString().slice(0, 10)
  return seconds % DAY_SECONDS === 0 ? date : `${date}T${time}`
}

/** A duration in hours, minutes and seconds. Hours may exceed 24. */
export const durationText = (serial: number): string => timeText(Math.round(serial * DAY_SECONDS))

const timeText = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
