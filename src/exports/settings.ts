import { Invalid } from '../errors.ts'
import { parseAs, parseJson } from '../extensions/json.ts'
import { limits } from '../limits.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { criteriaOf } from '../search/criteria.ts'
import { SearchRequest } from '../search/request-schemas.ts'

/** The field values of a run: those of the installation, overridden by those of the request. */
export type RunValues = Readonly<Record<string, string>>

const KNOWN = knownFields(SearchRequest)

/** The search in a field, validated like the body of Search. Throws Invalid. */
export function searchOfRun({ search }: RunValues): SearchRequest | null {
  if (search === undefined) return null
  const given = parseJson(Buffer.from(search), 'search')
  refuseUnknown(KNOWN, given, 'search')
  const data = parseAs(SearchRequest, given, 'search')
  const plain: SearchRequest = {
    ...data,
    page: 0,
    pageSize: limits.defaultPageSize,
    cursor: null,
    facetSearch: null,
  }
  try {
    criteriaOf(plain)
  } catch (problem) {
    throw problem instanceof Invalid ? new Invalid(`search.${problem.message}`) : problem
  }
  return plain
}

/** The number of products per page. Throws Invalid. */
export function pageSizeIn({ pageSize = String(limits.exportPage) }: RunValues): number {
  const size = /^\d{1,4}$/.test(pageSize) ? Number(pageSize) : 0
  if (size >= 1 && size <= limits.pageSize) return size
  throw new Invalid(`pageSize: must be a number from 1 to ${limits.pageSize}`)
}
