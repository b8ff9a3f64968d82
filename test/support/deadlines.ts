import { limits } from '../../src/limits.ts'

const { requestMs, requestWaitMs, elasticMs, realtimeMs, realtimeAllMs, imageMs } = limits
const production = { requestMs, requestWaitMs, elasticMs, realtimeMs, realtimeAllMs, imageMs }
const lengthened = Object.fromEntries(
  Object.entries(production).map(([name, ms]) => [name, 3 * ms]),
)

/** A shared machine stands still for seconds, which no test is about. */
export const lengthenDeadlines = (): void => {
  Object.assign(limits, lengthened)
}

/** For the rest of a file that is about the deadlines of requests and of Elasticsearch's calls. */
export const useProductionDeadlines = (): void => {
  Object.assign(limits, production)
}

/** For work that waits until a deadline is over. */
export async function withProductionDeadlines<T>(work: () => Promise<T>): Promise<T> {
  useProductionDeadlines()
  return work().finally(lengthenDeadlines)
}
