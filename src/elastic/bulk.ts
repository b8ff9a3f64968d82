import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../errors.ts'
import { call, type Elastic } from './client.ts'
import { refreshNamed } from './refresh.ts'

/** One line pair of a `_bulk` body, already serialized: action and document. */
export interface BulkItem {
  readonly action: string
  readonly document?: string
}

/** Serialized items: their lines, and the number of items. */
export interface BulkLines {
  readonly body: string | Buffer
  readonly count: number
}

/** The result of one item, in the order they were sent. */
export interface BulkResult {
  readonly status: number
  /** Elasticsearch's error type, as in `version_conflict_engine_exception`. */
  readonly error?: string
  readonly reason?: string
  /** For a conditional write of this version; only when `versions` is set. */
  readonly seqNo?: number
  readonly primaryTerm?: number
}

export interface BulkOptions {
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call. */
  readonly timeoutMs?: number
  readonly refresh?: 'wait_for' | true
  /** Return the version of each document written. */
  readonly versions?: boolean
}

const OUTCOMES = 'items.*.status,items.*.error.type,items.*.error.reason'
const VERSIONS = 'items.*._seq_no,items.*._primary_term'

/**
 * Sends one `_bulk`. Failures of single items are returned, never thrown. With `refresh`,
 * everything that was written or found to exist is searchable when it returns.
 */
export async function bulk(
  elastic: Elastic,
  items: readonly BulkItem[],
  options: BulkOptions = {},
): Promise<BulkResult[]> {
  const results = await sendBulk(elastic, { body: bodyOf(items), count: items.length }, options)
  if (options.refresh) await refreshRefused(elastic, items, results)
  return results
}

function bodyOf(items: readonly BulkItem[]): string {
  const lines: string[] = []
  for (const item of items) {
    lines.push(item.action)
    if (item.document !== undefined) lines.push(item.document)
  }
  return `${lines.join('\n')}\n`
}

/**
 * Sends one `_bulk` and returns whether every item succeeded, without details: cheap for many items
 * that can be sent again unchanged.
 */
export async function bulkTaken(
  elastic: Elastic,
  { body, count }: BulkLines,
  options: Pick<BulkOptions, 'signal' | 'timeoutMs'> = {},
): Promise<boolean> {
  if (count === 0) return true
  const { errors } = await request(elastic, body, 'errors', options)
  return !errors
}

// Elasticsearch refreshes nothing for a refused item, though the document it conflicts with may not
// be searchable yet.
async function refreshRefused(elastic: Elastic, items: readonly BulkItem[], results: BulkResult[]) {
  const refused = items.filter((_, at) => results[at]!.status === 409)
  const indices = refused.flatMap(({ action }) => {
    const [target] = Object.values(JSON.parse(action) as Record<string, { _index: string }>)
    return [target!._index]
  })
  await Promise.all([...new Set(indices)].map((index) => refreshNamed(elastic, index)))
}

/** Sends serialized items. */
export async function sendBulk(
  elastic: Elastic,
  { body, count }: BulkLines,
  options: BulkOptions = {},
): Promise<BulkResult[]> {
  if (count === 0) return []
  const wanted = options.versions ? `${OUTCOMES},${VERSIONS}` : OUTCOMES
  const answer = await request(elastic, body, wanted, options)
  const results = (answer.items ?? []).map((item) => resultOf(Object.values(item)[0]!))
  if (results.length !== count)
    throw new Unavailable('The response to a bulk request was incomplete.')
  return results
}

const request = (
  elastic: Elastic,
  body: string | Buffer,
  wanted: string,
  { signal, timeoutMs = 30_000, refresh }: BulkOptions,
) =>
  call(() =>
    elastic.client.transport.request<estypes.BulkResponse>(
      {
        method: 'POST',
        path: '/_bulk',
        querystring: {
          filter_path: wanted,
          ...(refresh ? { refresh: String(refresh) } : {}),
        },
        bulkBody: body as string,
      },
      { requestTimeout: timeoutMs, ...(signal ? { signal } : {}) },
    ),
  )

function resultOf(item: estypes.BulkResponseItem): BulkResult {
  if (!item.error) {
    if (item._seq_no === undefined) return { status: item.status }
    return { status: item.status, seqNo: item._seq_no, primaryTerm: item._primary_term! }
  }
  return {
    status: item.status,
    error: item.error.type,
    ...(item.error.reason ? { reason: item.error.reason } : {}),
  }
}
