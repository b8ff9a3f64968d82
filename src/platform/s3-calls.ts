import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { Failure, Unavailable } from '../errors.ts'
import type { S3Address } from './s3-address.ts'

export interface S3Settings extends S3Address {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const ATTEMPTS = 4
const FIRST_MS = 100
/** What another try may mend: too much at once, or something away behind the store. */
const PASSING = new Set([408, 429, 500, 502, 503, 504])
const FULL = /QuotaExceeded|StorageFull|InsufficientCapacity|InsufficientStorage/i

/**
 * Calls the store: `call(ms, work)` tries `work` again while it fails in passing, for `ms`
 * milliseconds in all. Throws Unavailable; other statuses than those `work` tolerates, too.
 */
export type S3Call = <T>(ms: number, work: (client: S3mini) => Promise<T>) => Promise<T>

export function createS3Call(settings: S3Settings): S3Call {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings
  // A client for each attempt, since the client knows one time limit for all, bodies included.
  const clientOf = (signal: AbortSignal) =>
    new S3mini({
      endpoint: `${endpoint}/${bucket}`,
      region,
      accessKeyId,
      secretAccessKey,
      fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) =>
        fetch(input, { ...init, signal }),
    })

  async function attempt<T>(ms: number, work: (client: S3mini) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer in ${ms} ms`)), ms)
    try {
      return await work(clientOf(late.signal))
    } finally {
      clearTimeout(timer)
    }
  }

  return async (ms, work) => {
    const end = performance.now() + ms
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(Math.max(1, end - performance.now()), work)
      } catch (error) {
        const pause = Math.random() * FIRST_MS * 2 ** tries
        const isOver = tries === ATTEMPTS || performance.now() + pause >= end
        if (isOver || !isPassing(error)) throw failureOf(error)
        await sleep(pause)
      }
    }
  }
}

/** The status that the store refused with; undefined when it did not answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceError ? error.status : undefined

/** The store's own name of a refusal, as `NoSuchBucket`. */
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
      ? 'There is no room for files now.'
      : 'The store of files does not answer now.'
  return new Unavailable(text, { retryAfter: 30, cause: error })
}
