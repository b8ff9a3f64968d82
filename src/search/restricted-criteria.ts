import { Forbidden } from '../errors.ts'
import type { Caller } from '../operation.ts'
import type { Criteria } from './criteria.ts'
import type { CriterionType } from './request-schemas.ts'

const RESTRICTED: ReadonlySet<CriterionType> = new Set(['tag', 'extensionField', 'favorite'])

/** A search key travels in web pages: nobody finds by what people noted with it. Throws Forbidden. */
export function refuseRestricted(
  criteria: Criteria,
  { keyType }: Pick<Caller, 'keyType'>,
): Criteria {
  if (keyType !== 'search') return criteria
  if (criteria.explain) throw new Forbidden('A key of type search may not use explain.')
  const { wanted, excluded, boosted, sort } = criteria
  const hidden = [...wanted, ...excluded, ...boosted].find(({ type }) => RESTRICTED.has(type))
  if (!hidden && sort !== 'favorite') return criteria
  const what = hidden ? `criteria of type ${hidden.type}` : 'the sort favorite'
  throw new Forbidden(`A key of type search may not use ${what}.`)
}
