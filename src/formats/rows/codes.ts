import { type FieldTarget, targetName } from './fields.ts'

const ROUNDED = /^'?\d(?:[.,]\d{1,14})?e\+\d{1,3}$/i

/** Whether a code is a number that a spreadsheet rounded, such as 4,00638E+12 for an EAN. */
export const isRounded = (text: string): boolean => ROUNDED.test(text.trim())

const NUMBERS = new Set(['id', 'manufacturerPartNumber', 'vendor.vendorPartNumber', 'groupId'])

/** Whether such a code is all that the row has as the number of its product, offer or group. */
export const isRoundedNumber = (target: FieldTarget, text: string): boolean =>
  isRounded(text) && NUMBERS.has(targetName(target))

/**
 * Distinct codes, without rounded ones and the apostrophe that keeps spreadsheets from parsing
 * numbers; absent if none is left.
 */
export function codesIn(texts: readonly string[] = []): { upcs?: string[] } {
  const codes = texts.filter((text) => !isRounded(text)).map((text) => text.replace(/^'(?=\d)/, ''))
  return codes.length === 0 ? {} : { upcs: [...new Set(codes)] }
}
