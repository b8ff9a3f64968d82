import { Invalid } from '../errors.ts'
import { parseJson, placed } from '../extensions/json.ts'
import { columnsOf, headingsIn } from '../formats/csv/product-columns.ts'
import { limits } from '../limits.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { criteriaOf } from '../search/criteria.ts'
import { SearchRequest } from '../search/request.ts'

/** Values of the fields of a run: those of the installation, overlaid by those of the request. */
export type Values = Readonly<Record<string, string>>

/** How a file of cells is to be written; `headings` null: those that the products have. */
export interface CsvSettings {
  readonly headings: readonly string[] | null
  readonly delimiter: string
  readonly byteOrderMark: boolean
}

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
export const ENCODINGS = ['utf-8', 'utf-8-bom'] as const

/** Throws Invalid that names the field. Pure. */
export function csvSettings({ columns, delimiter = 'comma', encoding = 'utf-8' }: Values) {
  const sign = Object.entries(DELIMITERS).find(
    ([name, own]) => name === delimiter || own === delimiter,
  )
  if (!sign) throw new Invalid(`delimiter: one of ${Object.keys(DELIMITERS).join(', ')}`)
  if (!ENCODINGS.some((known) => known === encoding)) {
    throw new Invalid(`encoding: one of ${ENCODINGS.join(', ')}`)
  }
  const headings = columns === undefined ? [] : headingsIn(columns)
  columnsOf(headings)
  const settings: CsvSettings = {
    headings: headings.length === 0 ? null : headings,
    delimiter: sign[1],
    byteOrderMark: encoding === 'utf-8-bom',
  }
  return settings
}

const KNOWN = knownFields(SearchRequest)

/** The search in a field, checked as Search checks its body. Throws Invalid. Pure. */
export function searchIn({ search }: Values): SearchRequest | null {
  if (search === undefined) return null
  const given = parseJson(Buffer.from(search), 'search')
  refuseUnknown(KNOWN, given, 'search')
  const data = placed(SearchRequest, given, 'search')
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

/** Products of one page. Throws Invalid. Pure. */
export function pageSizeIn({ pageSize = String(limits.exportPage) }: Values): number {
  const size = /^\d{1,4}$/.test(pageSize) ? Number(pageSize) : 0
  if (size >= 1 && size <= limits.pageSize) return size
  throw new Invalid(`pageSize: a number from 1 to ${limits.pageSize}`)
}
