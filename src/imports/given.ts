import { Invalid } from '../errors.ts'
import { ImportRequest } from './schemas.ts'

const FLAGS = new Set(
  ['header', 'zipped', 'createProducts', 'updateMetadata', 'normalizeManufacturerName'].concat([
    'fullFile',
  ]),
)

/** A request whose values may be texts, as those of an installation are. Throws Invalid. */
export function requestFrom(given: Readonly<Record<string, unknown>>): ImportRequest {
  const typed = Object.entries(given).map(([name, value]) =>
    FLAGS.has(name) && (value === 'true' || value === 'false')
      ? [name, value === 'true']
      : [name, value],
  )
  const { data, error } = ImportRequest.safeParse(Object.fromEntries(typed))
  if (data) return data
  const issue = error.issues[0]!
  const place = issue.path.map(String).join('.')
  throw new Invalid(`${place || 'request'}: ${issue.message.replace(/^Invalid input: /, '')}`)
}
