import { setFlagsFromString } from 'node:v8'

/** Garbage that may gather before it is collected, as a share of what lives. */
const PERCENT = 20

let running = 0

/**
 * Runs long work that makes much garbage. V8 lets a heap grow up to fourfold before it collects:
 * right for short requests, but an import of any length would hold hundreds of MiB.
 */
export async function frugally<T>(work: () => Promise<T>): Promise<T> {
  if (running++ === 0) setFlagsFromString(`--heap-growing-percent=${PERCENT}`)
  try {
    return await work()
  } finally {
    if (--running === 0) setFlagsFromString('--heap-growing-percent=0')
  }
}
