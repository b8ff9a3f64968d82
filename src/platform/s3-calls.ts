import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { Failure, Unavailable } from '../errors.ts'
import { timeLimit } from './deadline.ts'
import { retry } from './retry.ts'
import type { S3Address } from './s3-address.ts'

export interface S3Settings extends S3Address {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const ATTEMPTS = 4
const FIRST_MS = 100
/** Transient statuses: rate limits, and failures behind the store. */
const PASSING = new Set([408, 429, 500, 502, 503, 504])
const FULL = /QuotaExceeded|StorageFull|InsufficientCapacity|InsufficientStorage/i

/**
 * Calls the store: `call(ms, work)` retries transient failures of `work` for up to `ms`
 * milliseconds. Throws Unavailable, also for statuses that `work` does not tolerate.
 */
export type S3Call = <T>(ms: number, work: (client: S3mini) => Promise<T>) => Promise<T>

export function createS3Call(settings: S3Settings): S3Call {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  // One client per attempt, since a client has one timeout for everything, bodies included.
  const clientOf = (signal: AbortSignal) =>
    new S3mini({
      endpoint: `${endpoint}/${bucket}`,
      region,
      accessKeyId,
      secretAccessKey,
      fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
        fetch(input, { ...init, signal }),
    })

  return (ms, work) => {
    const end = performance.now() + ms
    let tries = 0
    const attempt = async () => {
      const limit = timeLimit(Math.max(1, end - performance.now()))
      return work(clientOf(limit.signal)).finally(limit.end)
    }
    return retry(attempt, (error) => {
      const pause = Math.random() * FIRST_MS * 2 ** ++tries
      const isOver = tries === ATTEMPTS || performance.now() + pause >= end
      if (isOver || !isPassing(error)) throw failureOf(error)
      return sleep(pause)
    })
  }
}

/** The HTTP status of a refusal; undefined without an answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceError ? error.status : undefined

/** The store's own error code, such as `NoSuchBucket`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof S3ServiceError
    ? (/<Code>([^<]*)<\/Code>/.exec(error.body ?? '')?.[1] ?? error.serviceCode)
    : undefined

function isPassing(error: unknown): boolean {
  if (error instanceof Failure) return false
  const status = statusOf(error)
  return status === undefined || PASSING.has(status)
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const text =
    statusOf(error) === 507 || FULL.test(codeOf(error) ?? '')
      ? 'The file storage is full. Try again later.'
      : 'The file storage is unavailable. Try again later.'
  return new Unavailable(text, { retryAfter: 30, cause: error })
}
