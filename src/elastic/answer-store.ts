import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import { splitAnswer } from './answer-parts.ts'
import { hitsLength, responseLength } from './response-size.ts'
import type { SearchAnswer } from './search.ts'

/** A stored page of an answer, or stored counts. */
export interface StoredAnswer {
  /** The generation read before the search was sent: the answer is at least as new. */
  readonly generation: string
  readonly answer: SearchAnswer<unknown>
  /** The key of the counts, for a page. */
  readonly counts: string
  readonly size: number
}

/** The keys of a whole search and of its counts; equal for a search without a page. */
export interface AnswerKeys {
  readonly whole: string
  readonly counts: string
}

interface NewAnswer {
  readonly keys: AnswerKeys
  readonly generation: string
  readonly answer: SearchAnswer<unknown>
  /** The part to store. */
  readonly part: 'all' | 'page' | 'counts'
}

interface AnswerStoreOptions {
  readonly most: number
  /** Freezes stored answers, so that tests notice changes. */
  readonly freeze: boolean
}

/** Share of the store that one answer may take. */
const LARGEST_SHARE = 1 / 8

/** Stores answers in parts, evicting the least recently used. */
export function createAnswerStore({ most, freeze }: AnswerStoreOptions) {
  const kept = new LRUCache<string, StoredAnswer>({
    maxSize: Math.max(1, most),
    maxEntrySize: Math.max(1, Math.floor(most * LARGEST_SHARE)),
    sizeCalculation: ({ size }) => Math.max(1, size),
    ttl: limits.keptAnswerMs,
  })

  const takes = (answer: SearchAnswer<unknown>) => responseLength(answer) > 0
  return {
    get: (key: string) => kept.get(key),
    /**
     * Whether the length of the answer is known. It is unknown for answers that shared a response
     * or were read in portions.
     */
    takes,
    keep({ keys, generation, answer, part }: NewAnswer): void {
      if (!takes(answer)) return
      const length = responseLength(answer)
      if (freeze) deepFreeze(answer)
      const { page, counts } = splitAnswer(answer)
      const hasPage = keys.whole !== keys.counts
      const ofPage = hasPage && part !== 'page' ? hitsLength(answer) : length
      if (hasPage && part !== 'counts') {
        kept.set(keys.whole, { generation, answer: page, counts: keys.counts, size: ofPage })
      }
      if (part === 'page') return
      const size = hasPage ? length - ofPage : length
      kept.set(keys.counts, { generation, answer: counts, counts: keys.counts, size })
    },
    /** Characters of the stored answers, as Elasticsearch sent them. */
    size: () => kept.calculatedSize,
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}
