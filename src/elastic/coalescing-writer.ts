import { setTimeout } from 'node:timers/promises'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { createBatches } from '../platform/batches.ts'
import { untilAborted } from '../platform/deadline.ts'
import type { Collection, Stored } from './collection.ts'

/** Attempts after one without an answer. */
const REPEATS = 3
const JITTER_MS = 40

/**
 * The document after a change; undefined for no document, the same one for no change. What it
 * throws fails this change alone; Stale has the document read again, for all. `isRepeated`: the
 * change may be stored already, by an attempt whose answer was lost.
 */
export type DocumentChange<T> = (
  current: T | undefined,
  isRepeated: boolean,
) => T | undefined | Promise<T | undefined>

/** How one document is read and written. */
export interface WritableDocument<T extends object> {
  /** Tells the documents of a writer apart. */
  readonly key: string
  read(): Promise<Stored<T> | undefined>
  /** Waits until one of this size may be worked on; what it answers ends that. Throws as Admission. */
  turn?(current: T, signal: AbortSignal | undefined): Promise<(() => void) | undefined>
  /** What has to be done before the write. */
  prepare?(next: T | undefined): Promise<void>
  /** Throws Stale or Conflict when the document is not the one at `at` any more. */
  write(next: T | undefined, at: Stored<T> | undefined): Promise<unknown>
  /** False when the changes that are left have to wait for the next write. */
  hasRoom?(current: T): boolean
}

export interface CoalescingWriter<T extends object> {
  /**
   * Changes a document and answers it as it is after this change. Changes of one document that meet
   * in this instance become one conditional write; a write that finds another version is made anew.
   * Throws what the change throws, Unavailable, and the signal's reason.
   */
  change(
    document: WritableDocument<T>,
    change: DocumentChange<T>,
    signal?: AbortSignal,
  ): Promise<T | undefined>
}

export interface CoalescingOptions {
  /** Milliseconds for which changes are gathered before a write. */
  readonly gatherMs?: number
  /** Repeats a write whose answer was lost: every change recognises what it did already. */
  readonly repeatsLost?: boolean
}

interface PendingChange<T> {
  readonly change: DocumentChange<T>
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: T | undefined) => void
  readonly reject: (error: unknown) => void
}

/** A writer of this process. */
export function createCoalescingWriter<T extends object>({
  gatherMs = 0,
  repeatsLost = false,
}: CoalescingOptions = {}): CoalescingWriter<T> {
  const batches = createBatches<PendingChange<T>>(gatherMs)
  return {
    change(document, change, signal) {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
      batches.add(document.key, { change, signal, resolve, reject }, (waiting) =>
        writeAll(document, waiting, repeatsLost ? REPEATS : 0),
      )
      return signal ? untilAborted(signal, promise) : promise
    },
  }
}

/** A document of a collection. It is searchable at once when created or removed, else with `refresh`. */
export const documentIn = <T extends object>(
  collection: Collection<T>,
  id: string,
  options: { readonly refresh?: true } = {},
): WritableDocument<T> => ({
  key: collection.documentId(id),
  read: () => collection.get(id),
  async write(next, at) {
    if (next && at) await collection.replace(id, next, at, options)
    else if (next) await collection.create(id, next, { refresh: true })
    else if (at) await collection.remove(id, { at, refresh: true })
  },
})

async function writeAll<T extends object>(
  document: WritableDocument<T>,
  batch: readonly PendingChange<T>[],
  repeats: number,
): Promise<void> {
  let left = repeats
  let repeated: ReadonlySet<unknown> = new Set()
  for (let open = batch; ; ) {
    open = open.filter(({ signal }) => !signal?.aborted)
    if (open.length === 0) return
    try {
      open = await writeOnce(document, open, repeated)
      continue
    } catch (error) {
      const isLost = error instanceof LostAnswer
      const isOutrun = error instanceof Stale || error instanceof Conflict
      // Its turn was waited for until one of them was given up: the others go on.
      const isOver = !isLost && open.some(({ signal }) => signal?.aborted)
      if (!isOutrun && !isOver && !(isLost && left-- > 0)) {
        for (const { reject } of open) reject(isLost ? error.cause : error)
        return
      }
      if (isLost) repeated = new Set([...repeated, ...error.written])
    }
    await setTimeout(Math.random() * JITTER_MS)
  }
}

/** The write may have been stored. */
class LostAnswer extends Error {
  /** The changes that it had. */
  readonly written: ReadonlySet<unknown>

  constructor(written: ReadonlySet<unknown>, cause: Unavailable) {
    super('', { cause })
    this.written = written
  }
}

/** Applies the changes in order, stores the result, then answers them. Returns those that are left. */
async function writeOnce<T extends object>(
  document: WritableDocument<T>,
  open: readonly PendingChange<T>[],
  repeated: ReadonlySet<unknown>,
): Promise<readonly PendingChange<T>[]> {
  const found = await document.read()
  // The newest waits longest.
  const end = found && (await document.turn?.(found.source, open.at(-1)!.signal))
  try {
    return await writeRead(document, { found, open, repeated })
  } finally {
    end?.()
  }
}

interface ReadDocument<T> {
  readonly found: Stored<T> | undefined
  readonly open: readonly PendingChange<T>[]
  readonly repeated: ReadonlySet<unknown>
}

async function writeRead<T extends object>(
  document: WritableDocument<T>,
  { found, open, repeated }: ReadDocument<T>,
): Promise<readonly PendingChange<T>[]> {
  let current = found?.source
  const answers: (() => void)[] = []
  const written = new Set<PendingChange<T>>()
  for (const waiting of open) {
    if (current && answers.length > 0 && document.hasRoom?.(current) === false) break
    try {
      // Who was answered meanwhile that it took too long finds nothing changed later.
      waiting.signal?.throwIfAborted()
      const next = await waiting.change(current, repeated.has(waiting))
      if (next !== current) written.add(waiting)
      current = next
      answers.push(() => waiting.resolve(next))
    } catch (error) {
      if (error instanceof Stale) throw error
      answers.push(() => waiting.reject(error))
    }
  }
  if (current !== found?.source) {
    await document.prepare?.(current)
    await document.write(current, found).catch((error: unknown) => {
      throw error instanceof Unavailable ? new LostAnswer(written, error) : error
    })
  }
  for (const answer of answers) answer()
  return open.slice(answers.length)
}
