import { limits } from '../../src/limits.ts'

/** Milliseconds that a test waits for work in the background, on a machine that does other work, too. */
export const BACKGROUND_MS = 120_000

const { requestMs, requestWaitMs, elasticMs, realtimeMs, realtimeAllMs } = limits
const { imageMs, imageWaitMs, imageUploadMs } = limits
const production = {
  ...{ requestMs, requestWaitMs, elasticMs, realtimeMs, realtimeAllMs },
  ...{ imageMs, imageWaitMs, imageUploadMs },
}
const lengthened = Object.fromEntries(
  Object.entries(production).map(([name, ms]) => [name, 3 * ms]),
)

/** Lengthens deadlines, since a shared machine may stall for seconds. */
export const lengthenDeadlines = (): void => {
  Object.assign(limits, lengthened)
}

/** Restores production deadlines for the rest of a file that tests them. */
export const useProductionDeadlines = (): void => {
  Object.assign(limits, production)
}

/** Runs `work`, which waits for a deadline to pass, with production deadlines. */
export async function withProductionDeadlines<T>(work: () => Promise<T>): Promise<T> {
  useProductionDeadlines()
  return work().finally(lengthenDeadlines)
}
