import { setTimeout } from 'node:timers/promises'
import { Stale } from '../errors.ts'
import { createBatches } from './batches.ts'

const JITTER_MS = 40

/** What becomes of a value. May throw: the value then stays as it is, for this change. */
export type ChangeOf<T> = (value: T) => T | Promise<T>

/** A change with the request that waits for it. */
export interface WaitingChange<T, Result = T> {
  readonly change: ChangeOf<T>
  readonly signal: AbortSignal
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

type Write<T, Result> = (open: readonly WaitingChange<T, Result>[]) => Promise<void>

export interface ChangeQueue<T, Result = T> {
  /**
   * Waits for a change of what `key` names, at most until `signal` aborts. Changes that meet become
   * one write; one that throws Stale is repeated. `begin` makes the write of a batch.
   */
  submit(
    key: string,
    wish: { readonly change: ChangeOf<T>; readonly signal: AbortSignal },
    begin: () => Write<T, Result>,
  ): Promise<Result>
}

/** Changes of one instance, by key; between instances who was slower begins anew. */
export function createChangeQueue<T, Result = T>(): ChangeQueue<T, Result> {
  const queue = createBatches<WaitingChange<T, Result>>()
  return {
    submit(key, { change, signal }, begin) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const expire = () => reject(signal.reason)
      signal.addEventListener('abort', expire, { once: true })
      queue.add(key, { change, signal, resolve, reject }, (batch) => fulfil(batch, begin()))
      return promise.finally(() => signal.removeEventListener('abort', expire))
    },
  }
}

async function fulfil<T, Result>(
  batch: readonly WaitingChange<T, Result>[],
  write: Write<T, Result>,
): Promise<void> {
  for (;;) {
    const open = batch.filter(({ signal }) => !signal.aborted)
    if (open.length === 0) return
    try {
      return await write(open)
    } catch (error) {
      if (!(error instanceof Stale)) {
        for (const { reject } of open) reject(error)
        return
      }
    }
    await setTimeout(Math.random() * JITTER_MS)
  }
}

/** A value after all changes that could be applied, and what tells their callers once it is stored. */
export async function applied<T>(
  value: T,
  open: readonly Pick<WaitingChange<T>, 'change' | 'resolve' | 'reject'>[],
): Promise<{ value: T; tell: () => void }> {
  let next = value
  const outcomes: (() => void)[] = []
  for (const { change, resolve, reject } of open) {
    try {
      const changed = await change(next)
      next = changed
      outcomes.push(() => resolve(changed))
    } catch (error) {
      outcomes.push(() => reject(error))
    }
  }
  return {
    value: next,
    tell() {
      for (const outcome of outcomes) outcome()
    },
  }
}
