import { processorMs } from './processor-use.ts'
import { requestTrace } from './request-trace.ts'

/**
 * Does heavy synchronous work, and charges its processor time to the caller of the current request.
 * Otherwise, whoever holds places then would pay for it.
 */
export function chargeCpuTime<T>(work: () => T): T {
  const charge = requestTrace.getStore()?.charge
  if (!charge) return work()
  const before = processorMs()
  try {
    return work()
  } finally {
    charge(processorMs() - before)
  }
}
