import { v7 as uuidv7 } from 'uuid'
import { type BufferedBulk, createBufferedBulk } from '../elastic/buffered-bulk.ts'
import type { BulkItem } from '../elastic/bulk.ts'
import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
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
  readonly request: Omit<SearchHistoryItem, 'catalog' | 'username' | 'time'>
}

/** The searches of an organization, of all months. */
export const historyOf = (ctx: Context): Collection<HistoryEntry> =>
  collection(ctx.elastic, { kind: 'history', scope: [ctx.organization.id], monthly: true })

/** A request as the history keeps it: additions only where they were used. */
function historyRequest(request: SearchRequest): HistoryEntry['request'] {
  const { sort, cursor, highlight, group, counts, facetSearch, typing: _, ...documented } = request
  return {
    ...documented,
    ...(sort === 'relevance' ? {} : { sort }),
    ...(cursor === null ? {} : { cursor }),
    ...(highlight ? { highlight } : {}),
    ...(group ? { group } : {}),
    ...(counts ? { counts } : {}),
    ...(facetSearch === null ? {} : { facetSearch }),
  }
}

type Found = Pick<SearchResult, 'total' | 'droppedWords' | 'correctedTo'>

/** What others may want to search, too. */
function suggestionOf(keywords: string | null, { total, droppedWords = [], correctedTo }: Found) {
  const isFound = total > 0 && droppedWords.length === 0 && correctedTo === undefined
  return keywords !== null && isFound ? { suggestion: pastQuery(keywords) } : {}
}

interface AnsweredSearch {
  readonly catalog: string
  readonly request: SearchRequest
  readonly found: Found
}

/** Remembers the first page of a search whose words are complete; the answer does not wait for it. */
export function recordSearch(ctx: Context, { catalog, request, found }: AnsweredSearch): void {
  if (request.typing || request.page > 0 || (request.cursor !== null && request.cursor !== '*'))
    return
  const now = ctx.clock.now()
  const id = uuidv7({ msecs: now.getTime() })
  const month = collection(ctx.elastic, {
    kind: monthlyKind('history', now),
    scope: [ctx.organization.id],
    monthly: true,
  })
  const entry: HistoryEntry & { scope: string } = {
    scope: month.place.scope!,
    id,
    username: ctx.caller.username,
    catalog,
    time: now.toISOString(),
    ...suggestionOf(request.keywords, found),
    ...(ctx.caller.keyType === 'search' ? { public: true } : {}),
    request: historyRequest(request),
  }
  const index = ctx.elastic.indexName(month.place.kind)
  enqueue(ctx, {
    action: JSON.stringify({ create: { _index: index, _id: month.documentId(id) } }),
    document: JSON.stringify(entry),
  })
}

/** How long entries wait for others, so that many searches cost one write. */
const GATHER_MS = 200

const bufferOf = memoizeWeak<Elastic, BufferedBulk>(() =>
  createBufferedBulk({ gatherMs: GATHER_MS, timeoutMs: limits.elasticMs }),
)

/** A write that fails loses its entries, never a search. */
function enqueue({ elastic, background, log }: Context, item: BulkItem): void {
  const buffer = bufferOf(elastic)
  if (buffer.length > limits.historyQueueBytes) {
    log.warn('search history: an entry was dropped, since too many wait')
    return
  }
  buffer
    .write(elastic, [item], (bulks) => background.run('search history', () => bulks))
    .then(([failed]) => {
      if (failed!.error) log.warn({ failed }, 'search history: an entry was refused')
    })
    .catch((error: unknown) => warnOf(log, 'search history', error))
}

export interface HistoryPage {
  readonly page: number
  readonly pageSize: number
}

/** The caller's searches in the organization in effect, newest first. */
export async function readHistory(ctx: Context, { page, pageSize }: HistoryPage) {
  const from = page * pageSize
  if (from + pageSize > limits.resultWindow) {
    throw new Invalid(`page: only the newest ${limits.resultWindow} searches are listed`)
  }
  const answer = await historyOf(ctx).search(
    {
      query: { bool: { filter: [{ term: { username: ctx.caller.username } }] } },
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
