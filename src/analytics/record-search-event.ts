import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import { hashedId } from '../elastic/collection.ts'
import type { Context } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { SearchEvent } from './event.ts'
import { dropEvent, logEvents, logLatest } from './events.ts'
import type { Assignment } from './experiment.ts'
import { queryText } from './query-text.ts'
import { isRobot } from './robots.ts'
import { marksOf, writeToken } from './search-token.ts'
import { visitorOf } from './visitor.ts'

export interface AnsweredSearch {
  readonly catalog: string
  readonly keywords: string | null
  readonly typing: boolean
  /** true: counted, and its choices are reported; false: not counted; null: only counted. */
  readonly analytics: boolean | null
  readonly visitor: string | null
  /** Number of hits before the first product; null when unknown. */
  readonly from: number | null
  readonly total: number
  readonly productIds: readonly string[]
  /** Absent when the search is not part of an experiment. */
  readonly assignment?: Assignment | undefined
}

/** A text that is being typed counts from this many letters on. */
const LEAST_LETTERS = 3

/** The context to which the search tokens of an organization are sealed. */
export const tokenContext = ({ organization }: Pick<Context, 'organization'>) => [
  'search token',
  organization.id,
]

/**
 * Counts the first page of a search for reports, without delaying the answer. Returns the sealed
 * token for reporting choices if the search asked for one.
 */
export function recordSearchEvent(ctx: Context, search: AnsweredSearch): string | undefined {
  const { catalog, analytics, from, total, assignment } = search
  const now = ctx.clock.now()
  const query = queryText(search.keywords)
  const wanted = analytics !== false && from === 0 && !isRobot(ctx.sender?.agent)
  const sequence = query === null ? undefined : sequenceOf(ctx, search, query)
  const isCounted = wanted && (!search.typing || sequence !== undefined)
  const id = (search.typing && sequence?.id) || ctx.requestId
  if (isCounted) {
    const event: SearchEvent = {
      kind: 'search',
      catalog,
      time: now.toISOString(),
      ...(query === null ? {} : { query }),
      hits: total,
      tracked: analytics === true,
      ...assignment,
    }
    if (search.typing) logLatest(ctx, now, { id, event })
    else logEvents(ctx, now, [{ id, event }])
    noteTyping(ctx, now, search.typing, sequence)
  }
  if (analytics !== true) return undefined
  const marks = marksOf(search.productIds)
  const token = { id, time: now.getTime(), catalog, query, isCounted, from, marks, assignment }
  return ctx.secrets.seal(writeToken(token), tokenContext(ctx))
}

/** The searches of one visitor who types a query. They count once, with the last text. */
interface Sequence {
  readonly key: string
  readonly id: string
}

const SEQUENCES = 10_000
/** How long a sequence stays open after its last search. */
const SEQUENCE_MS = 5 * 60 * 1000

/** The ids of open sequences, by visitor and first letters. */
const openOf = memoizeWeak<Elastic, LRUCache<string, string>>(
  () => new LRUCache({ max: SEQUENCES, ttl: SEQUENCE_MS }),
)

/**
 * The sequence that a query belongs to; undefined while it has too few letters. Instances that
 * serve the same visitor in turn derive the same id, and the latest of their writes remains.
 */
function sequenceOf(ctx: Context, search: AnsweredSearch, query: string): Sequence | undefined {
  const letters = query.slice(0, LEAST_LETTERS)
  if (letters.length < LEAST_LETTERS) return undefined
  const visitor = visitorOf(ctx, search.visitor)
  const key = hashedId([ctx.organization.id, search.catalog, visitor, letters])
  const slot = Math.floor(ctx.clock.now().getTime() / SEQUENCE_MS)
  return { key, id: openOf(ctx.elastic).get(key) ?? `${key}/${slot}` }
}

/** Ends the sequence that led to a complete search, which counts in its place. */
function noteTyping(ctx: Context, now: Date, typing: boolean, sequence: Sequence | undefined) {
  if (!sequence) return
  const open = openOf(ctx.elastic)
  if (typing) open.set(sequence.key, sequence.id)
  else if (open.delete(sequence.key)) dropEvent(ctx, now, sequence.id)
}
