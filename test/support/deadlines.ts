import { limits } from '../../src/limits.ts'

const { requestMs, elasticMs } = limits
const production = { requestMs, elasticMs }

/** A shared machine stands still for seconds, which no test is about. */
export const lengthenDeadlines = (): void => {
  Object.assign(limits, { requestMs: 3 * requestMs, elasticMs: 3 * elasticMs })
}

/** For the rest of a file that is about the deadlines of requests and of Elasticsearch's calls. */
export const useProductionDeadlines = (): void => {
  Object.assign(limits, production)
}
