import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { parseUrl } from '../platform/parse-url.ts'
import type { Manifest } from './contract.ts'
import type { FieldDefinition } from './fields.ts'

type Typed = Pick<FieldDefinition, 'dataType' | 'fieldType'>

/**
 * Why a text is not a valid value of the field. Only the extension knows the options of a `select`.
 */
export function typeProblem({ dataType, fieldType }: Typed, text: string): string | undefined {
  switch (fieldType === 'checkbox' ? 'boolean' : dataType) {
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? undefined : 'must be a number'
    case 'boolean':
      return text === 'true' || text === 'false' ? undefined : 'must be true or false'
    case 'url':
      return isWebAddress(text) ? undefined : 'must be an http or https URL'
    case 'date':
      return isDay(text) ? undefined : 'must be a date such as 2027-02-01'
    default:
      return undefined
  }
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(parseUrl(text)?.protocol ?? '')

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** Throws Invalid for a value of a run that has no declared field. */
export function checkNames(
  { fields }: Pick<Manifest, 'fields'>,
  place: string,
  given: Readonly<Record<string, unknown>>,
): void {
  const name = Object.keys(given).find((one) => fields.every(({ field }) => field !== one))
  if (name !== undefined) throw new Invalid(`${place}.${name}: ${unknownFieldText(fields)}`)
}

/** What is wrong with a value of a field that an extension with these fields lacks. */
export const unknownFieldText = (fields: readonly Pick<FieldDefinition, 'field'>[]): string =>
  fields.length === 0
    ? 'unknown field; the extension has none'
    : `unknown field; known: ${fields.map(({ field }) => field).join(', ')}`

/**
 * Checks that values of a run have the types of their declared fields, and that those of protected
 * ones are not too long to look for in answers. Throws Invalid.
 */
export function checkGiven(
  { fields }: Pick<Manifest, 'fields'>,
  place: string,
  given: Readonly<Record<string, string | null>>,
): void {
  let protectedLength = 0
  for (const field of fields) {
    const text = Object.hasOwn(given, field.field) ? given[field.field] : undefined
    if (field.protected) protectedLength += text?.length ?? 0
    const problem = text ? typeProblem(field, text) : undefined
    if (problem) throw new Invalid(`${place}.${field.field}: ${problem}`)
  }
  if (protectedLength <= limits.protectedLength) return
  throw new Invalid(
    `${place}: the values of protected fields have at most ${limits.protectedLength} characters in total; shorten them`,
  )
}
