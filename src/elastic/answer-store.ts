import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import { partsOf } from './answer-parts.ts'
import { hitsLength, responseLength } from './response-size.ts'
import type { SearchAnswer } from './search.ts'

/** The page of an answer, or what it counts. */
export interface Kept {
  /** That was read before it was asked for: it is as new, or newer. */
  readonly generation: string
  readonly answer: SearchAnswer<unknown>
  /** Of a page: the key of what is counted. */
  readonly counts: string
  readonly size: number
}

/** The names of a search as a whole and of what it counts: the same where it has no page. */
export interface AnswerKeys {
  readonly whole: string
  readonly counts: string
}

interface NewAnswer {
  readonly keys: AnswerKeys
  readonly generation: string
  readonly answer: SearchAnswer<unknown>
  /** What of it is kept. */
  readonly part: 'all' | 'page' | 'counts'
}

/** Answers in parts, the longest unused give way. */
interface AnswerStore {
  get(key: string): Kept | undefined
  /** Whether its length is known: not of those that came together with others, or in pieces. */
  takes(answer: SearchAnswer<unknown>): boolean
  keep(answer: NewAnswer): void
  /** Characters of what is kept, as Elasticsearch sent it. */
  size(): number
}

interface AnswerStoreOptions {
  readonly most: number
  /** Makes changes of what is kept fail, for tests. */
  readonly freeze: boolean
}

/** One answer leaves room for others. */
const LARGEST_SHARE = 1 / 8

export function createAnswerStore({ most, freeze }: AnswerStoreOptions): AnswerStore {
  const kept = new LRUCache<string, Kept>({
    maxSize: Math.max(1, most),
    maxEntrySize: Math.max(1, Math.floor(most * LARGEST_SHARE)),
    sizeCalculation: ({ size }) => Math.max(1, size),
    ttl: limits.keptAnswerMs,
  })

  const takes = (answer: SearchAnswer<unknown>) => responseLength(answer) > 0
  return {
    get: (key) => kept.get(key),
    takes,
    keep({ keys, generation, answer, part }) {
      if (!takes(answer)) return
      const length = responseLength(answer)
      if (freeze) deepFreeze(answer)
      const { page, counts } = partsOf(answer)
      const hasPage = keys.whole !== keys.counts
      const ofPage = hasPage && part === 'all' ? hitsLength(answer) : length
      if (hasPage && part !== 'counts') {
        kept.set(keys.whole, { generation, answer: page, counts: keys.counts, size: ofPage })
      }
      if (part === 'page') return
      const size = hasPage && part === 'all' ? length - ofPage : length
      kept.set(keys.counts, { generation, answer: counts, counts: keys.counts, size })
    },
    size: () => kept.calculatedSize,
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}
