import { setFlagsFromString } from 'node:v8'

/** Garbage allowed before a collection, in percent of live memory. */
const PERCENT = 20

let running = 0

/**
 * Runs long work that produces much garbage. V8 lets a heap grow up to fourfold before it collects,
 * so an import of any length would hold hundreds of MiB.
 */
export async function withEagerCollection<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) setFlagsFromString(`--heap-growing-percent=${PERCENT}`)
  try {
    return await work()
  } finally {
    if (--running === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
