import { v7 as uuidv7 } from 'uuid'
import { queryText } from '../analytics/query-text.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { deferWrites } from '../elastic/deferred-writes.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Caller, Context } from '../operation.ts'
import { catalogTag } from '../products/catalog-words.ts'
import { isOfAnnotations } from '../products/criteria.ts'
import { firstBytes } from '../products/short-value.ts'
import type { Paging } from '../shapes.ts'
import { fingerprint } from './fingerprint.ts'
import type { SearchRequest } from './request-schemas.ts'
import type { SearchHistoryItem } from './response-schemas.ts'
import type { SearchResult } from './run.ts'
import { pastQuery } from './suggestions/past-queries.ts'

/** A recorded search. `request` is stored without being indexed. */
interface HistoryEntry {
  /** UUIDv7 with the time of the search. */
  readonly id: string
  readonly username: string
  readonly catalog: string
  readonly time: string
  /** The organization's tag and `pastQuery` of the keywords, if all were found. */
  readonly pastQuery?: string
  /** The same without the tag, in entries of older versions. */
  readonly suggestion?: string
  /** Made with a search key, whose user represents all visitors of a page. */
  readonly public?: true
  /** `boundsPrint` of a bound key. The entry is suggested only within the same bounds. */
  readonly bounds?: string
  /** `queryText` of the keywords; absent without any, and from entries of older versions. */
  readonly query?: string
  readonly request: Omit<SearchHistoryItem, 'catalog' | 'username' | 'time'>
}

/** The searches of an organization; with `month` only that month's, for writing. */
export const historyOf = (
  { elastic, organization }: Context,
  month?: Date,
): Collection<HistoryEntry> =>
  collection(elastic, {
    kind: month ? monthlyKind('history', month) : 'history',
    scope: [organization.id],
    monthly: true,
    tagged: { names: PAST_QUERY, tag: catalogTag(organization.id) },
  })

const PAST_QUERY: ReadonlySet<string> = new Set(['pastQuery'])

/** A request as the history stores it. Additions are kept only if they were used. */
export function historyRequest(request: SearchRequest): HistoryEntry['request'] {
  const { typing, analytics, visitor, explain, fields, compact, ...kept } = request
  const { sort, cursor, highlight, group, hidden, priceList, ...others } = kept
  const { counts, facetSearch, facets, ...documented } = others
  const sorted = sort === 'relevance' ? null : sort
  const added = { sort: sorted, cursor, highlight, group, hidden, priceList }
  const used = Object.entries({ ...added, counts, facetSearch, facets }).filter(([, one]) => one)
  return { ...documented, ...Object.fromEntries(used) }
}

type Found = Pick<SearchResult, 'total' | 'droppedWords' | 'correctedTo'>

/** The keywords as a suggestion for others, if they are short and the search found all of them. */
export function pastQueryOf(
  keywords: string | null,
  { total, droppedWords = [], correctedTo }: Found,
  organization: string,
): Pick<HistoryEntry, 'pastQuery'> {
  const isFound = total > 0 && droppedWords.length === 0 && correctedTo === undefined
  const isShort = keywords !== null && firstBytes(keywords).length === keywords.length
  return isShort && isFound ? { pastQuery: catalogTag(organization) + pastQuery(keywords) } : {}
}

/** Fingerprint of what a key may see; undefined if it sees all of a catalog. */
export function boundsPrint(
  caller: Pick<Caller, 'bounds' | 'boundTo' | 'username'>,
): string | undefined {
  const { bounds, boundTo, username } = caller
  const { filters = [], hide = [] } = bounds ?? {}
  if (filters.length === 0 && hide.length === 0) return undefined
  // Tags and favorites depend on the user and on what the key is bound to.
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

/** Records the first page of a search that is not being typed, without delaying the answer. */
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
    ...pastQueryOf(request.keywords, found, ctx.organization.id),
    ...(ctx.caller.keyType === 'search' ? { public: true } : {}),
    ...(query === null ? {} : { query }),
    ...(bounds === undefined ? {} : { bounds }),
    request: historyRequest(request),
  }
  deferWrites(ctx, 'search history', [historyOf(ctx, now).bulkItem(id, entry)])
}

interface HistoryPage extends Paging {
  /** Lists only the newest search for the same words, and none without words. */
  readonly distinct: boolean
}

/** The caller's searches in the organization in effect, newest first. */
export async function readHistory(ctx: Context, { page, pageSize, distinct }: HistoryPage) {
  const from = page * pageSize
  if (from + pageSize > limits.resultWindow) {
    throw new Invalid(`page: the history has only the newest ${limits.resultWindow} searches`)
  }
  const own = { term: { username: ctx.caller.username } }
  const found = await historyOf(ctx).find(
    {
      query: { bool: { filter: [own, ...(distinct ? [{ exists: { field: 'query' } }] : [])] } },
      ...(distinct ? { collapse: { field: 'query' } } : {}),
      from,
      size: pageSize,
      sort: [{ time: 'desc' }, { id: 'desc' }],
    },
    { signal: ctx.signal, most: limits.historyBytes },
  )
  return found.map(({ request, catalog, username, time }) => ({
    ...request,
    catalog,
    username,
    time,
  }))
}
