import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds; a search takes some milliseconds, a request ends after half a minute at most. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const PREFIX = 'aisle_'

/**
 * The metrics of an instance, for Prometheus. Labels never have values that callers choose, only
 * operations, statuses and kinds, so that no tenant can create a series.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const register = new Registry()
  const registers = [register]
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: PREFIX + name, help, labelNames, buckets: SECONDS, registers })
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers })

  return {
    requests: histogram(
      'http_request_duration_seconds',
      'Time to answer a request, by operation, revision and status.',
      ['operation', 'revision', 'status'],
    ),
    refusedByAddress: counter(
      'http_requests_refused_by_address_total',
      'Requests refused because their address sent too many.',
      [],
    ),
    elasticsearch: histogram(
      'elasticsearch_request_duration_seconds',
      'Duration of Elasticsearch requests, by API and status (0 without a response).',
      ['api', 'status'],
    ),
    retries: counter(
      'elasticsearch_retries_total',
      'Requests that were also sent to another Elasticsearch node, by API.',
      ['api'],
    ),
    slowSearches: counter(
      'slow_searches_total',
      'Elasticsearch searches that took longer than SLOW_SEARCH_MS.',
      [],
    ),
    tasks: counter('tasks_ended_total', 'Tasks that ended, by kind and status.', [
      'kind',
      'status',
    ]),
    importedRows: counter('import_rows_total', 'Rows of imports, by what they did.', ['result']),
    searchesCharged: counter('searches_charged_total', 'Searches that cost a credit.', []),
    callbacks: counter('callback_attempts_total', 'Attempts to deliver a callback, by result.', [
      'result',
    ]),
    caches: counter('cache_lookups_total', 'Look-ups in the cache of an instance, by result.', [
      'kind',
      'result',
    ]),

    /** A number read at each scrape. */
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name: PREFIX + name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    },

    /** Everything in the text format of Prometheus, with the figures of the process. */
    text: (): Promise<string> => Registry.merge([register, processRegister()]).metrics(),
  }
}

let ofProcess: Registry | undefined

/** Processor, memory, garbage collection and event-loop delay; watched from the first scrape on. */
function processRegister(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}
