import { Client, errors } from '@elastic/elasticsearch'
import { Invalid, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { nodeAddresses } from '../platform/node-addresses.ts'
import { GatheringConnection } from './connection.ts'
import { NodePool } from './node-pool.ts'
import { SizeTrackingSerializer } from './response-size.ts'
import { type CallObserver, deadlineTransport } from './transport.ts'

/** The addresses of Elasticsearch, and the credentials for it. */
export interface ElasticConnection {
  /** One address, or the addresses of several nodes, separated by commas. */
  readonly node: string
  readonly auth?: { apiKey: string } | { username: string; password: string }
  /** Certificates as PEM text. */
  readonly ca?: string
}

/** The connection to Elasticsearch and the names of its indices. */
export interface ElasticSettings extends ElasticConnection {
  readonly prefix: string
  readonly shards: number
  readonly replicas: number
}

/** The connection. Features use it through `collection` and `search`, never the client itself. */
export interface Elastic {
  readonly client: Client
  readonly settings: ElasticSettings
  /** The alias or index of a kind: `aisle-products`. */
  indexName(kind: string): string
  /** Reports every call to `observer` from now on. Returns a function that ends this. */
  observe(observer: CallObserver): () => void
}

/**
 * Options for changes of indices, which no request waits for and the whole cluster has to agree on.
 */
export const ADMIN = { requestTimeout: 30_000 } as const

/** The options of a client that say where and as whom it connects. */
export const connectionOptions = ({ node, auth, ca }: ElasticConnection) => ({
  nodes: nodeAddresses(node),
  ...(auth ? { auth } : {}),
  ...(ca ? { tls: { ca } } : {}),
})

/** Connects lazily. Every call has one deadline, however many nodes it tries. */
export function createElastic(settings: ElasticSettings): Elastic {
  const observers = new Set<CallObserver>()
  const client = new Client({
    ...connectionOptions(settings),
    Connection: GatheringConnection,
    ConnectionPool: NodePool,
    maxRetries: 0,
    sniffOnStart: false,
    // Names such as __proto__ are refused before they are stored; checking again costs a second
    // parse.
    disablePrototypePoisoningProtection: true,
    // Otherwise each failure copies its request byte by byte: seconds and hundreds of MiB for a
    // bulk.
    redaction: { type: 'remove' },
    Transport: deadlineTransport((call) => {
      const all = [...observers].map((observer) => observer(call))
      return {
        headers: all.find(({ headers }) => headers)?.headers,
        ended: (end) => {
          for (const { ended } of all) ended(end)
        },
      }
    }),
    Serializer: SizeTrackingSerializer,
    maxResponseSize: limits.elasticAnswerBytes,
  })
  return {
    client,
    settings,
    indexName: (kind) => `${settings.prefix}-${kind}`,
    observe(observer) {
      observers.add(observer)
      return () => observers.delete(observer)
    },
  }
}

/** HTTP status of Elasticsearch's answer; undefined when there was none. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof errors.ResponseError ? error.statusCode : undefined
}

/** Elasticsearch's name of the error, as in `version_conflict_engine_exception`. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined
  const body: unknown = error.meta.body
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const inner = body.error
  return typeof inner === 'object' && inner !== null && 'type' in inner
    ? String(inner.type)
    : undefined
}

export const MISSING_INDEX = 'index_not_found_exception'

/** Errors with status 503: Elasticsearch answers, but no copy of the shard is available. */
const SHARD_AWAY = new Set([
  'unavailable_shards_exception',
  'no_shard_available_action_exception',
  'search_phase_execution_exception',
])

/** Translates errors of the client into ours. No other module handles them. */
export function translate(error: unknown): unknown {
  if (!(error instanceof errors.ElasticsearchClientError)) return error
  const status = statusOf(error)
  // Blocks of a cluster that has not read its indices yet have status 503.
  if (reasonOf(error) === 'cluster_block_exception' && status !== 503) {
    return new Unavailable(
      'The storage is read-only: its disk is full, or a migration is running. Try again later.',
      {
        retryAfter: 30,
        cause: error,
      },
    )
  }
  if (status === 409) return new Stale()
  if (status === 400 && error.message.includes('maxClauseCount')) {
    return new Invalid('The search has too many words or criteria.')
  }
  if (status === 503 && SHARD_AWAY.has(reasonOf(error) ?? '')) {
    return new Unavailable('A part of the storage is unavailable. Try again shortly.', {
      cause: error,
    })
  }
  const missing = reasonOf(error) === MISSING_INDEX
  // Aggregations that are cancelled, as at a deadline, fail with status 400.
  const cancelled = status === 400 && error.message.includes('task_cancelled_exception')
  if (status === undefined || status === 429 || status >= 500 || missing || cancelled) {
    return new Unavailable('The search engine is unavailable. Try again shortly.', {
      cause: error,
    })
  }
  return error
}

/** Runs one call and translates its errors. */
export async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw translate(error)
  }
}
