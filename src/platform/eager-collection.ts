import {
  constants,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** Garbage allowed before a collection, in percent of live memory. */
const PERCENT = 20
/** Share of the room left by the previous collection, in percent, at which the first one begins. */
const BEGIN_PERCENT = 10

let running = 0
let endHaste = (): void => undefined

/**
 * Runs long work that produces much garbage. V8 lets a heap grow up to fourfold before it collects,
 * so an import of any length would hold hundreds of MiB.
 */
export async function withEagerCollection<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) begin()
  try {
    return await work()
  } finally {
    if (--running === 0) end()
  }
}

/**
 * The room left by the previous collection may be as large as all live objects. The first
 * collection therefore begins early, incrementally as usual, and leaves what PERCENT says.
 */
function begin(): void {
  setFlagsFromString(`--heap-growing-percent=${PERCENT}`)
  setFlagsFromString(`--incremental-marking-hard-trigger=${BEGIN_PERCENT}`)
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) endHaste()
  })
  endHaste = () => {
    observer.disconnect()
    setFlagsFromString('--incremental-marking-hard-trigger=0')
  }
  observer.observe({ entryTypes: ['gc'] })
}

function end(): void {
  endHaste()
  setFlagsFromString('--heap-growing-percent=0')
}

/** Whether an entry is a major collection. The type of entries lacks `detail`. */
const isMajor = (
  entry: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail },
): boolean => entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
