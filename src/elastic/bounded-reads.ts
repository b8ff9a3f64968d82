import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { currentOwner } from '../platform/request-trace.ts'
import type { Elastic } from './client.ts'
import type { CallOptions, Place } from './place.ts'
import { answerTooLarge } from './too-large.ts'

/** How many kinds of reads have their sizes remembered. */
const KNOWN = 10_000
/** A smaller size shrinks the remembered one by this factor, at most once per interval. */
const FADING = 0.9
const FADING_MS = 1_000

/** The size of a document in characters, by kind of read; undefined before the first read. */
export interface DocumentSizes {
  of(key: string): number | undefined
  /** `length` characters were read for `count` documents. */
  note(key: string, length: number, count: number): void
}

/** Keeps the largest recent size: many small reads do not hide it at once. */
export function createDocumentSizes(now = () => performance.now()): DocumentSizes {
  const sizes = new LRUCache<string, { readonly size: number; readonly at: number }>({ max: KNOWN })
  return {
    of: (key) => sizes.get(key)?.size,
    note(key, length, count) {
      if (count === 0) return
      const size = length / count
      const before = sizes.get(key)
      const at = now()
      if (!before || size >= before.size) sizes.set(key, { size, at })
      else if (at - before.at >= FADING_MS) {
        sizes.set(key, { size: before.size * FADING + size * (1 - FADING), at })
      }
    },
  }
}

/** How many documents of this size to read in one call. */
export const portionSize = (size: number | undefined): number =>
  size === undefined
    ? limits.readDocuments
    : Math.max(1, Math.min(limits.readSmallDocuments, Math.floor(limits.readBytes / size)))

/** Whether the documents are known to be small enough to be read without a bound. */
export const isSmall = (count: number, size: number | undefined): boolean =>
  count <= 1 || (size !== undefined && count * size <= limits.readBytes)

/** Reads that may be large run a few at a time. Their calls that return much run one at a time. */
interface LargeReads {
  readonly reads: Admission
  readonly calls: Admission
}

interface ReadState {
  readonly sizes: DocumentSizes
  /** Requests do not queue behind tasks, whose calls may take much longer. */
  readonly requests: LargeReads
  readonly tasks: LargeReads
}

/** Bytes from which a call counts as heavy. */
const HEAVY = limits.readBytes / 2

const createLargeReads = (pauses: boolean): LargeReads => ({
  reads: createAdmission({
    capacity: limits.largeReads,
    share: limits.largeReads - 1,
    waiting: Infinity,
    ownerWaiting: Infinity,
    waitMs: limits.largeReadWaitMs,
    what: 'large reads',
  }),
  calls: createAdmission({ capacity: 1, waiting: Infinity, pauses, what: 'large reads' }),
})

const readStateOf = memoizeWeak<Elastic, ReadState>(() => ({
  sizes: createDocumentSizes(),
  requests: createLargeReads(true),
  tasks: createLargeReads(false),
}))

export interface ReadTarget {
  readonly elastic: Elastic
  readonly place: Pick<Place, 'kind' | 'scope'>
  readonly source: unknown
}

/** The remembered size of the documents of a read, and its place in the queue of large reads. */
export function boundedReader({ elastic, place, source }: ReadTarget) {
  const { sizes, requests, tasks } = readStateOf(elastic)
  // The source selection may be long, and many keys are remembered, so keep only a hash.
  const key = hash('sha256', `${place.kind} ${place.scope} ${source ?? ''}`, 'base64url')
  // A caller may read what belongs to its parent, which is of the same family.
  const owner = currentOwner(place.scope?.split('/')[0])
  return {
    size: () => sizes.of(key),
    note: (length: number, count: number) => sizes.note(key, length, count),
    /** Throws TooManyRequests when the read is known to be large and others of its owner wait. */
    run<T>(
      count: number,
      { signal, most, timeoutMs, isPatient = most === Infinity }: PortionOptions,
      work: () => Promise<T>,
    ): Promise<T> {
      const size = sizes.of(key)
      if (isSmall(count, size)) return work()
      // Reads without an organization are never refused because of others.
      const mayWait = isPatient || size === undefined || place.scope === null
      return (timeoutMs === undefined ? requests : tasks).reads.run(owner, work, {
        ...(signal ? { signal } : {}),
        ...(mayWait ? {} : { line: limits.largeReadsWaiting }),
      })
    },
    /** One call of such a read, for `count` documents. Calls above `heavy` bytes take turns. */
    async call<T>(
      count: number,
      { signal, timeoutMs }: CallOptions,
      work: () => Promise<T>,
      heavy: number = HEAVY,
    ): Promise<T> {
      const isHeavy = count * (sizes.of(key) ?? 0) > heavy
      if (!isHeavy) return work()
      const { calls } = timeoutMs === undefined ? requests : tasks
      return calls.run(owner, work, signal ? { signal } : {})
    },
  }
}

/** Ids of whole documents by the calls that read them: who processes each in turn holds no more. */
export function* fittingSlices<T>(
  { elastic }: Pick<ReadTarget, 'elastic'>,
  { place }: Pick<ReadTarget, 'place'>,
  ids: readonly T[],
): Generator<readonly T[]> {
  const { size } = boundedReader({ elastic, place, source: undefined })
  for (let at = 0; at < ids.length; ) {
    const slice = ids.slice(at, at + portionSize(size()))
    yield slice
    at += slice.length
  }
}

export interface PortionOptions extends CallOptions {
  /** Characters of all documents together; limits.answerBytes when absent. */
  readonly most?: number | undefined
  /** Returns the first documents that fit, in place of throwing. */
  readonly isPartial?: boolean | undefined
  /** Waits for its turn, however many reads of its owner wait. When absent, if `most` is Infinity. */
  readonly isPatient?: boolean | undefined
  /** Documents to read first while their size is unknown; limits.readDocuments when absent. */
  readonly first?: number | undefined
}

interface Portion<T> {
  /** In order; undefined for a document that does not exist. */
  readonly documents: readonly T[]
  /** The characters read; `count` is the number of documents read, when some are left out. */
  readonly length: number
  readonly count?: number
}

interface WeighedOptions<T> extends PortionOptions {
  /** Characters of the documents, when the response has more than those. */
  readonly weigh?: ((documents: readonly T[]) => number) | undefined
}

/** Reads documents a bounded number of bytes at a time, in order. Throws Invalid beyond `most`. */
export async function readInPortions<W, T>(
  read: ReadTarget,
  wanted: readonly W[],
  { most = limits.answerBytes, weigh, isPartial, first = Infinity, ...options }: WeighedOptions<T>,
  readPortion: (portion: readonly W[]) => Promise<Portion<T>>,
): Promise<T[]> {
  const reading = boundedReader(read)
  return reading.run(wanted.length, { most, ...options }, async () => {
    const found: T[] = []
    let total = 0
    const weighed = { documents: 0, length: 0 }
    let largest = reading.size() === undefined ? first : Infinity
    for (let at = 0; at < wanted.length; ) {
      const portion = wanted.slice(at, at + Math.min(largest, portionSize(reading.size())))
      const { documents, length, count } = await reading.call(portion.length, options, () =>
        readPortion(portion),
      )
      // Ids without a document would make the others look small.
      reading.note(length, count ?? documents.filter((document) => document !== undefined).length)
      for (const document of documents) found.push(document)
      at += portion.length
      total += length
      if (total > most && weigh) {
        weighed.length += weigh(found.slice(weighed.documents))
        weighed.documents = found.length
        total = weighed.length
      }
      if (total <= most) {
        largest = Infinity
        continue
      }
      if (!isPartial) throw answerTooLarge(most)
      const before = at - portion.length
      if (before > 0 || portion.length === 1) return found.slice(0, before)
      // Of the first portion, some may fit.
      largest = portion.length >> 1
      at = found.length = total = weighed.documents = weighed.length = 0
    }
    return found
  })
}
