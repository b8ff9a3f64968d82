import { setTimeout } from 'node:timers/promises'
import { Conflict, Stale, Unavailable } from '../errors.ts'
import { createBatches } from '../platform/batches.ts'
import { untilAborted } from '../platform/deadline.ts'
import { STEP_MS, takeStep } from '../platform/in-steps.ts'
import { boundedReader } from './bounded-reads.ts'
import type { Elastic } from './client.ts'
import type { Collection, Stored } from './collection.ts'

/** Further attempts after one without an answer. */
const REPEATS = 3
const JITTER_MS = 40

/**
 * The document after a change: undefined removes it, the same object changes nothing. An error
 * fails this change alone, except Stale, which reads the document again for all. `isRepeated`: an
 * earlier attempt, whose answer was lost, may have stored the change.
 */
export type DocumentChange<T> = (
  current: T | undefined,
  isRepeated: boolean,
) => T | undefined | Promise<T | undefined>

/** How one document is read and written. */
export interface WritableDocument<T extends object> {
  /** Identifies the document within the writer. */
  readonly key: string
  read(): Promise<Stored<T> | undefined>
  /**
   * Waits until a document of this size may be processed. Returns a function that ends the turn.
   */
  turn?(current: T, signal: AbortSignal | undefined): Promise<(() => void) | undefined>
  /** Runs before the write. */
  prepare?(next: T | undefined): Promise<void>
  /** Throws Stale or Conflict when the document is no longer the version `at`. */
  write(next: T | undefined, at: Stored<T> | undefined): Promise<unknown>
  /** False when the remaining changes have to wait for the next write. */
  hasRoom?(current: T): boolean
}

export interface CoalescingWriter<T extends object> {
  /**
   * Changes a document and returns it as of this change. Concurrent changes in this instance become
   * one conditional write, repeated when another instance was faster. Throws what the change
   * throws, Unavailable, and the signal's reason.
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
  /** Repeats a write whose answer was lost. Every change must recognize its own earlier effect. */
  readonly repeatsLost?: boolean
}

interface PendingChange<T> extends PromiseWithResolvers<T | undefined> {
  readonly change: DocumentChange<T>
  readonly signal: AbortSignal | undefined
}

/** Creates a writer, local to this process. */
export function createCoalescingWriter<T extends object>({
  gatherMs = 0,
  repeatsLost = false,
}: CoalescingOptions = {}): CoalescingWriter<T> {
  const batches = createBatches<PendingChange<T>>(gatherMs)
  return {
    change(document, change, signal) {
      signal?.throwIfAborted()
      const pending = { change, signal, ...Promise.withResolvers<T | undefined>() }
      batches.add(document.key, pending, (waiting) =>
        writeAll(document, waiting, repeatsLost ? REPEATS : 0),
      )
      return untilAborted(signal, pending.promise)
    },
  }
}

/** A document of a collection. Creation and removal are searchable at once. */
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

/** Like documentIn; documents of more than `heavy` characters are written in turn, as large reads. */
export function documentInTurn<T extends object>(
  elastic: Elastic,
  collection: Collection<T>,
  id: string,
  heavy?: number,
): WritableDocument<T> {
  const document = documentIn(collection, id)
  const turns = boundedReader({ elastic, place: collection.place, source: undefined })
  return {
    ...document,
    write: (next, at) => turns.call(1, {}, () => document.write(next, at), heavy),
  }
}

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
      // One change was given up while waiting for its turn; the others continue.
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

/** Thrown when the answer to a write was lost, so that the write may have been stored. */
class LostAnswer extends Error {
  /** The changes it contained. */
  readonly written: ReadonlySet<unknown>

  constructor(written: ReadonlySet<unknown>, cause: Unavailable) {
    super('', { cause })
    this.written = written
  }
}

/** Applies the changes in order, stores the result and resolves them. Returns those left over. */
async function writeOnce<T extends object>(
  document: WritableDocument<T>,
  open: readonly PendingChange<T>[],
  repeated: ReadonlySet<unknown>,
): Promise<readonly PendingChange<T>[]> {
  const found = await document.read()
  // The newest change has the latest deadline.
  const end = found && (await document.turn?.(found.source, open.at(-1)!.signal))
  try {
    return await writeRead(document, open, repeated, found)
  } finally {
    end?.()
  }
}

async function writeRead<T extends object>(
  document: WritableDocument<T>,
  open: readonly PendingChange<T>[],
  repeated: ReadonlySet<unknown>,
  found: Stored<T> | undefined,
): Promise<readonly PendingChange<T>[]> {
  let current = found?.source
  const answers: (() => void)[] = []
  const written = new Set<PendingChange<T>>()
  let stepBegan = performance.now()
  for (const waiting of open) {
    if (current && answers.length > 0 && document.hasRoom?.(current) === false) break
    if (performance.now() - stepBegan >= STEP_MS) {
      await takeStep()
      stepBegan = performance.now()
    }
    try {
      // A caller that was told it took too long must not see its change applied later.
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
