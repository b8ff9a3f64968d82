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

/** An answered search. */
export interface AnsweredSearch {
  readonly catalog: string
  readonly keywords: string | null
  readonly typing: boolean
  /** true: choices will be reported; false: it is not to be counted; null: it only counts. */
  readonly analytics: boolean | null
  readonly visitor: string | null
  /** Hits before the first product; null where nobody knows. */
  readonly from: number | null
  readonly total: number
  readonly productIds: readonly string[]
  /** Its part in an experiment; absent where none compares it. */
  readonly assignment?: Assignment | undefined
}

/** Letters from which on a text that is being typed counts. */
const LEAST_LETTERS = 3

/** The place in which tokens of an organization are sealed. */
export const tokenPlace = ({ organization }: Pick<Context, 'organization'>) => [
  'search token',
  organization.id,
]

/**
 * Counts the first page of a search for reports, after its answer. Answers the name by which the
 * caller may say what was chosen, where it asked for one.
 */
export function countSearch(ctx: Context, search: AnsweredSearch): string | undefined {
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
  return ctx.secrets.seal(writeToken(token), tokenPlace(ctx))
}

/** What one visitor types, letter by letter; all of it counts once, as it was at last. */
interface Sequence {
  readonly key: string
  readonly id: string
}

const SEQUENCES = 10_000
/** For as long somebody may go on typing. */
const SEQUENCE_MS = 5 * 60 * 1000

/** The ids of what is being typed, by visitor and first letters. */
const openOf = memoizeWeak<Elastic, LRUCache<string, string>>(
  () => new LRUCache({ max: SEQUENCES, ttl: SEQUENCE_MS }),
)

/**
 * The sequence of what begins with these letters; undefined while they are too few. Instances that
 * get letters of the same visitor in turn find the same id, and the latest of their writes stays.
 */
function sequenceOf(ctx: Context, search: AnsweredSearch, query: string): Sequence | undefined {
  const letters = query.slice(0, LEAST_LETTERS)
  if (letters.length < LEAST_LETTERS) return undefined
  const visitor = visitorOf(ctx, search.visitor)
  const key = hashedId([ctx.organization.id, search.catalog, visitor, letters])
  const slot = Math.floor(ctx.clock.now().getTime() / SEQUENCE_MS)
  return { key, id: openOf(ctx.elastic).get(key) ?? `${key}/${slot}` }
}

/** A complete search ends the sequence that led to it, and counts in its place. */
function noteTyping(ctx: Context, now: Date, typing: boolean, sequence: Sequence | undefined) {
  if (!sequence) return
  const open = openOf(ctx.elastic)
  if (typing) open.set(sequence.key, sequence.id)
  else if (open.delete(sequence.key)) dropEvent(ctx, now, sequence.id)
}
