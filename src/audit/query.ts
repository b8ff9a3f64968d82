import { all, range, term } from '../elastic/clauses.ts'
import { timeOfUuid } from '../elastic/monthly-names.ts'
import type { SearchBody } from '../elastic/search.ts'
import type { AuditQuery } from './schemas.ts'

/** Which entries are requested; null: any. */
export interface AuditPage
  extends Omit<AuditQuery, 'user' | 'pageSize' | 'allOrganizations' | 'format'> {
  readonly username: string | null
  readonly size: number
}

/**
 * Fields of a filter that are compared exactly. A request has others besides, such as its headers.
 */
const TERMS = [
  'username',
  'keyId',
  'operation',
  'outcome',
  'target',
  'targetId',
  'requestId',
] as const satisfies readonly (keyof AuditPage)[]

/** Entries, newest first. */
export function auditBody({ after, size, from, to, reads, ...asked }: AuditPage): SearchBody {
  const filter = [
    ...TERMS.map((field) => {
      const value = asked[field]
      return value === null ? undefined : term(field, value)
    }),
    range('time', from, to),
    reads ? undefined : term('reads', false),
  ]
  const query = all(filter)
  return {
    ...(query ? { query } : {}),
    size,
    sort: [{ time: 'desc' }, { id: 'desc' }],
    ...(after === null ? {} : { search_after: [timeOfUuid(after).getTime(), after] }),
  }
}
