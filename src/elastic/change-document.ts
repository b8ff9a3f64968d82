import { conflictAsStale, retryWhileStale } from '../platform/retry.ts'
import type { Collection } from './collection.ts'

export interface DocumentChangeOptions {
  readonly signal: AbortSignal
  /** Searchable before the call returns. */
  readonly refresh?: true
}

/**
 * Changes a document by a conditional write, repeated after concurrent ones. `change` returns the
 * new document; the same one, or undefined, writes nothing. Returns the last result of `change`.
 */
export const changeDocument = <T extends object, Next extends T | undefined>(
  documents: Collection<T>,
  id: string,
  change: (before: T | undefined) => Next | Promise<Next>,
  options: DocumentChangeOptions,
): Promise<Next> =>
  retryWhileStale(options.signal, async () => {
    const found = await documents.get(id, { signal: options.signal })
    const next = await change(found?.source)
    if (next === undefined || next === found?.source) return next
    if (found) await documents.replace(id, next, found, options)
    else await documents.create(id, next, options).catch(conflictAsStale)
    return next
  })
