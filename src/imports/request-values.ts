import { Invalid } from '../errors.ts'
import { problemText } from '../platform/validation-problem.ts'
import { ImportRequest } from './schemas.ts'

/** Fields that are yes or no. */
const FLAGS = new Set(
  Object.entries(ImportRequest.shape).flatMap(([name, field]) =>
    field.safeParse(true).success ? [name] : [],
  ),
)

/** Values that may be texts, as those of an installation are, with yes and no as a request has them. */
export const typed = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) =>
      FLAGS.has(name) && (value === 'true' || value === 'false')
        ? [name, value === 'true']
        : [name, value],
    ),
  )

/** A request whose values may be texts. Throws Invalid. */
export function requestFrom(given: Readonly<Record<string, unknown>>): ImportRequest {
  const { data, error } = ImportRequest.safeParse(typed(given))
  if (data) return data
  throw new Invalid(problemText(error, 'request'))
}
