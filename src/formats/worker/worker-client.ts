import { Worker } from 'node:worker_threads'
import {
  DiskFull,
  Failure,
  type FailureCode,
  Invalid,
  NotFound,
  STATUS,
  TooLarge,
} from '../../errors.ts'
import { limits } from '../../limits.ts'
import { Interrupted } from '../../tasks/backoff.ts'
import type { ByteRange, StoredBytes } from '../bytes/stored-bytes.ts'
import type { ChunkForWorker, FileBatch, WorkerCall, WorkerMessage } from './messages.ts'
import { tooMuchMemory } from './thread-memory.ts'

/** Milliseconds that each MiB of a file gives it, which is read in several passes. */
const MIB_MS = 4_000
/** Milliseconds between checks whether the reading is cancelled. */
const CHECK_MS = 100
/** Milliseconds that a cancelled file has to return rows that were rejected before. */
const GRACE_MS = 2_000
/** Milliseconds for which a thread without a file waits for the next one. */
const IDLE_MS = 60_000

/** Milliseconds that reading a file may take in sum. It is looked through in one call. */
const mostMs = ({ bytes }: StoredBytes): number => limits.fileMs + MIB_MS * (bytes / 1024 ** 2)

/** Whether these are the last rows. */
const isEnd = ({ call }: WorkerCall, answer: unknown): boolean =>
  call === 'next' && (answer as FileBatch).isEnd

const HEAP = { maxOldGenerationSizeMb: limits.threadHeapMib, maxYoungGenerationSizeMb: 12 }

/** A thread that reads a file. */
interface FileWorker {
  /** Makes a call. Throws the failures of the thread, and why it ended. */
  ask<T>(call: WorkerCall): Promise<T>
  /** Ends the file, and the thread if it still reads. */
  end(): Promise<void>
}

interface IdleWorker {
  begin(stored: StoredBytes, isCancelled: () => boolean): FileWorker
}

interface WaitingCall extends PromiseWithResolvers<unknown> {
  readonly call: WorkerCall['call']
}

const idle: IdleWorker[] = []

/** A thread for a file, whose bytes it requests. `isCancelled` is called until the end. */
export const takeWorker = (stored: StoredBytes, isCancelled: () => boolean): FileWorker =>
  (idle.pop() ?? createWorker()).begin(stored, isCancelled)

function createWorker(): IdleWorker {
  const worker = new Worker(new URL('start.js', import.meta.url), {
    resourceLimits: HEAP,
    execArgv: [],
  })
  /** In the order of the answers. */
  const waiting: WaitingCall[] = []
  const reads = new Map<number, AsyncGenerator<Buffer>>()
  let file: StoredBytes
  let failure: unknown
  /** Why no more rows are read. */
  let cancelled: unknown
  let timer: NodeJS.Timeout | undefined
  /** Milliseconds that the file took so far. */
  let takenMs = 0

  /** Ends the thread, whatever it does. */
  function stop(reason: unknown): void {
    failure ??= reason
    clearInterval(timer)
    for (const { reject } of waiting.splice(0)) reject(failure)
    for (const read of [...reads.keys()]) drop(read)
    const at = idle.indexOf(thread)
    if (at >= 0) idle.splice(at, 1)
    void worker.terminate()
  }

  async function pull(read: number, range: ByteRange): Promise<void> {
    const reading = reads.get(read) ?? file.read(range)
    reads.set(read, reading)
    const { done, value } = await reading.next()
    if (done) reads.delete(read)
    // The next chunk may reuse the memory of this one.
    const chunk = done ? null : new Uint8Array(value)
    worker.postMessage({ read, chunk } satisfies ChunkForWorker, chunk ? [chunk.buffer] : [])
  }

  function drop(read: number): void {
    // Nobody reads these bytes any more, so a failure does not matter.
    reads
      .get(read)
      ?.return(undefined)
      .catch(() => undefined)
    reads.delete(read)
  }

  worker.on('message', (message: WorkerMessage) => {
    if ('pull' in message) pull(message.pull, message.range).catch(stop)
    else if ('drop' in message) drop(message.drop)
    else if ('done' in message) waiting.shift()?.resolve(message.done)
    else waiting.shift()?.reject(failureOf(message.failed))
  })
  worker.on('error', (error: NodeJS.ErrnoException) =>
    stop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error),
  )
  worker.on('exit', () => stop(new Error('The thread that read the file ended.')))

  function ask<T>(call: WorkerCall): Promise<T> {
    const over = failure ?? (call.call === 'next' ? cancelled : undefined)
    if (over !== undefined) return Promise.reject(over)
    const answer = Promise.withResolvers<T>()
    waiting.push({ call: call.call, ...(answer as PromiseWithResolvers<unknown>) })
    worker.postMessage(call)
    return call.call === 'open' || call.call === 'next'
      ? timed(call, answer.promise)
      : answer.promise
  }

  /** Many rows that take long, but not too long each, would keep the slot of a task for days. */
  async function timed<T>(call: WorkerCall, answer: Promise<T>): Promise<T> {
    const most = call.call === 'open' ? mostMs(file) : limits.fileRowsMs
    // The rests of the bytes for others do not count.
    const unrested = () => performance.now() - (file.restedMs?.() ?? 0)
    const began = unrested()
    let late: NodeJS.Timeout | undefined
    const checkTime = () => {
      const left = began + most - unrested()
      if (left > 0) late = setTimeout(checkTime, left)
      else stop(tooMuchTime(call))
    }
    checkTime()
    const done = await answer.finally(() => clearTimeout(late))
    takenMs += unrested() - began
    // Lines of the last rows may still be requested.
    if (takenMs > mostMs(file) && !isEnd(call, done)) stop(tooSlow())
    return done
  }

  /** Ends what waits for rows. Rows that were rejected before may still be requested. */
  function cancel(reason: unknown): void {
    cancelled = reason
    for (const { call, reject } of waiting) if (call !== 'rejectedLines') reject(reason)
    clearInterval(timer)
    timer = setTimeout(() => stop(reason), GRACE_MS)
  }

  function check(isCancelled: () => boolean): void {
    try {
      if (isCancelled()) cancel(new Interrupted())
    } catch (reason) {
      cancel(reason)
    }
  }

  async function end(): Promise<void> {
    clearInterval(timer)
    // Nobody waits for what it still reads.
    if (waiting.length > 0) return stop(new Interrupted())
    await ask({ call: 'close' }).catch(stop)
    if (failure !== undefined) return
    worker.unref()
    idle.push(thread)
    timer = setTimeout(() => stop(new Interrupted()), IDLE_MS).unref()
  }

  const thread: IdleWorker = {
    begin(stored, isCancelled) {
      file = stored
      cancelled = undefined
      takenMs = 0
      worker.ref()
      clearTimeout(timer)
      timer = setInterval(() => check(isCancelled), CHECK_MS)
      return { ask, end }
    },
  }
  return thread
}

const tooMuchTime = ({ call }: WorkerCall): Invalid =>
  call === 'open'
    ? tooSlow()
    : new Invalid(`The next rows of the file take longer than ${limits.fileRowsMs} ms to read.`)
const tooSlow = (): Invalid => new Invalid('The file takes too long to read for its size.')

const FAILURES: Partial<Record<FailureCode, (message: string) => Failure>> = {
  invalid: (message) => new Invalid(message),
  notFound: (message) => new NotFound(message.replace(/ not found\.$/, '')),
  tooLarge: (message) => new TooLarge(message),
  // A thread uses nothing else that may be unavailable.
  unavailable: (message) => new DiskFull(message),
}

/** A failure of the thread, of the same kind. */
function failureOf({ code, message, stack }: { code: string; message: string; stack?: string }) {
  const failure = FAILURES[code as FailureCode]
  if (failure) return failure(message)
  if (Object.hasOwn(STATUS, code)) return new Failure(code as FailureCode, message)
  return Object.assign(new Error(message), { name: code, stack })
}
