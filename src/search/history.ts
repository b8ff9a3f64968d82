import { v7 as uuidv7 } from 'uuid'
import { queryText } from '../analytics/query-text.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { writeLater } from '../elastic/late-writes.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller, Context } from '../operation.ts'
import { isOfAnnotations } from '../products/criteria.ts'
import { fingerprint } from './fingerprint.ts'
import type { SearchRequest } from './request-schemas.ts'
import type { SearchHistoryItem } from './response-schemas.ts'
import type { SearchResult } from './run.ts'
import { pastQuery } from './suggestions/past-queries.ts'

/** One search that somebody made; `request` is stored as it is, never looked into. */
interface HistoryEntry {
  /** UUIDv7: its time is the search's. */
  readonly id: string
  readonly username: string
  readonly catalog: string
  readonly time: string
  /** `pastQuery` of keywords all of which were found; absent of others, and of older versions. */
  readonly suggestion?: string
  /** Made with a search key, whose user stands for all visitors of a page. */
  readonly public?: true
  /** `boundsPrint` of the key, where it is bound: what it found is all that it may suggest. */
  readonly bounds?: string
  /** Its words as `queryText` writes them; absent without any, and of entries before there was it. */
  readonly query?: string
  readonly request: Omit<SearchHistoryItem, 'catalog' | 'username' | 'time'>
}

/** The searches of an organization; `month`: those of the month of a time, to write them. */
export const historyOf = (
  { elastic, organization }: Context,
  month?: Date,
): Collection<HistoryEntry> =>
  collection(elastic, {
    kind: month ? monthlyKind('history', month) : 'history',
    scope: [organization.id],
    monthly: true,
  })

/** A request as the history keeps it: additions only where they were used. */
function historyRequest(request: SearchRequest): HistoryEntry['request'] {
  const { typing, analytics, visitor, explain, fields, compact, ...kept } = request
  const { sort, cursor, highlight, group, hidden, priceList, ...others } = kept
  const { counts, facetSearch, facets, ...documented } = others
  return {
    ...documented,
    ...(sort === 'relevance' ? {} : { sort }),
    ...(cursor === null ? {} : { cursor }),
    ...(highlight ? { highlight } : {}),
    ...(group ? { group } : {}),
    ...(hidden ? { hidden } : {}),
    ...(priceList === null ? {} : { priceList }),
    ...(counts ? { counts } : {}),
    ...(facetSearch === null ? {} : { facetSearch }),
    ...(facets === null ? {} : { facets }),
  }
}

type Found = Pick<SearchResult, 'total' | 'droppedWords' | 'correctedTo'>

/** What others may want to search, too. */
function suggestionOf(keywords: string | null, { total, droppedWords = [], correctedTo }: Found) {
  const isFound = total > 0 && droppedWords.length === 0 && correctedTo === undefined
  return keywords !== null && isFound ? { suggestion: pastQuery(keywords) } : {}
}

/** Tells apart what keys see; undefined for one that sees all of a catalog. */
export function boundsPrint(
  caller: Pick<Caller, 'bounds' | 'boundTo' | 'username'>,
): string | undefined {
  const { bounds, boundTo, username } = caller
  const { filters = [], hide = [] } = bounds ?? {}
  if (filters.length === 0 && hide.length === 0) return undefined
  // Whose tags and favorites those are.
  const isTheirs = filters.some(({ wanted, excluded }) =>
    [...wanted, ...excluded].some(({ type }) => isOfAnnotations(type)),
  )
  return fingerprint([filters, [...hide].sort(), ...(isTheirs ? [boundTo, username] : [])])
}

interface RecordedSearch {
  readonly catalog: string
  readonly request: SearchRequest
  readonly found: Found
}

/** Remembers the first page of a search whose words are complete; the answer does not wait for it. */
export function recordSearch(ctx: Context, { catalog, request, found }: RecordedSearch): void {
  if (request.typing || request.page > 0 || (request.cursor !== null && request.cursor !== '*'))
    return
  const now = ctx.clock.now()
  const id = uuidv7({ msecs: now.getTime() })
  const query = queryText(request.keywords)
  const bounds = boundsPrint(ctx.caller)
  const entry: HistoryEntry = {
    id,
    username: ctx.caller.username,
    catalog,
    time: now.toISOString(),
    ...suggestionOf(request.keywords, found),
    ...(ctx.caller.keyType === 'search' ? { public: true } : {}),
    ...(query === null ? {} : { query }),
    ...(bounds === undefined ? {} : { bounds }),
    request: historyRequest(request),
  }
  writeLater(ctx, 'search history', [historyOf(ctx, now).bulkItem(id, entry)])
}

export interface HistoryPage {
  readonly page: number
  readonly pageSize: number
  /** Of the searches for the same words only the newest; those without words are left out. */
  readonly distinct: boolean
}

/** The caller's searches in the organization in effect, newest first. */
export async function readHistory(ctx: Context, { page, pageSize, distinct }: HistoryPage) {
  const from = page * pageSize
  if (from + pageSize > limits.resultWindow) {
    throw new Invalid(`page: only the newest ${limits.resultWindow} searches are listed`)
  }
  const own = { term: { username: ctx.caller.username } }
  const answer = await historyOf(ctx).search(
    {
      query: { bool: { filter: [own, ...(distinct ? [{ exists: { field: 'query' } }] : [])] } },
      ...(distinct ? { collapse: { field: 'query' } } : {}),
      from,
      size: pageSize,
      sort: [{ time: 'desc' }, { id: 'desc' }],
      track_total_hits: false,
    },
    { signal: ctx.signal, most: limits.answerBytes },
  )
  return answer.hits.hits.map((hit) => itemOf(hit._source!))
}

const itemOf = ({ request, catalog, username, time }: HistoryEntry): SearchHistoryItem => ({
  ...request,
  catalog,
  username,
  time,
})
