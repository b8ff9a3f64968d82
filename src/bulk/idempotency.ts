import { collection, hashedId } from '../elastic/collection.ts'
import { Conflict, Invalid, ignoring, Stale, Unavailable } from '../errors.ts'
import { scanExpired } from '../files/expired.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import type { Answers } from './merge-attempts.ts'

/** A request with an Idempotency-Key, and its answer. */
interface RememberedRequest {
  readonly id: string
  /** Hash of the request. Another request with the same key is refused. */
  readonly fingerprint: string
  readonly began: string
  readonly expires: string
  /**
   * Null until the request ends, or if the answer was not stored. A repetition then continues the
   * work, as it does after a timeout.
   */
  readonly answer: object | null
  /** Its share of limits.idempotencyBytes; absent in records of older versions. */
  readonly bytes?: number
}

/** Bytes that a key uses at least, however short its answer is. */
const KEY_BYTES = 1024

/** One of possibly several attempts at a request that must take effect once. */
export interface BatchAttempt {
  /** Shared by all attempts at the request. */
  readonly id: string
  /** When the request was first sent. */
  readonly began: Date
  /** Whether the request was sent before, so that parts of it may be done. */
  readonly isRepeated: boolean
  /** Whether the request has a key, and can therefore be repeated. */
  readonly isRemembered: boolean
  /**
   * Whether the item at this position is still to be done. Only items that an earlier attempt
   * answered are not.
   */
  isOpen(place: number): boolean
}

interface AskedOnce<Answer> extends Answers<Answer> {
  /** Without a key, each request is a new one. */
  readonly key: string | undefined
  /** Everything that distinguishes the request from others. */
  readonly request: readonly unknown[]
}

const KIND = 'idempotency'
/** Time for storing an answer, which may be complete only after the deadline of its request. */
const KEEP_MS = 2_000

const requestsOf = ({ elastic }: Pick<Services, 'elastic'>, organization: string) =>
  collection<RememberedRequest>(elastic, { kind: KIND, scope: [organization] })

/**
 * Does `work` once for each key of a user, and repeats the stored answer afterwards. Interrupted
 * work is done again with the same attempt, possibly concurrently, and recognizes what it did
 * before. Throws Conflict for a key of another request, Invalid when there are too many keys.
 */
export async function runIdempotently<Answer extends object>(
  ctx: Context,
  { key, request, openIn, together }: AskedOnce<Answer>,
  work: (attempt: BatchAttempt) => Promise<Answer>,
): Promise<Answer> {
  const now = ctx.clock.now()
  if (key === undefined) {
    const id = crypto.randomUUID()
    return work({
      ...{ id, began: now, isRepeated: false, isRemembered: false },
      isOpen: () => true,
    })
  }
  checkKey(key)
  const requests = requestsOf(ctx, ctx.organization.id)
  const id = hashedId([ctx.caller.username, key])
  const kept = await bytesKept(ctx, now)
  const fresh = {
    id,
    fingerprint: hashedId([JSON.stringify(request)]),
    began: now.toISOString(),
    expires: new Date(now.getTime() + limits.idempotencyMs).toISOString(),
    answer: null,
    bytes: KEY_BYTES,
  }
  const { stored, isRepeated } = await begun(ctx, fresh, kept < limits.idempotencyBytes)
  const { began } = stored.source
  const answer = stored.source.answer as Answer | null
  const open = answer && new Set(openIn(answer))
  if (answer && open?.size === 0) {
    ctx.header?.('idempotent-replayed', 'true')
    return answer
  }
  const attempt = { id: hashedId([requests.documentId(id), began]), began: new Date(began) }
  const done = await work({
    ...{ ...attempt, isRepeated, isRemembered: true },
    isOpen: (place) => !open || open.has(place),
  })
  const made = answer ? together(answer, done) : done
  // Without a stored answer, a repetition finds out what is done and answers the same.
  const bytes = KEY_BYTES + JSON.stringify(made).length
  if (kept + bytes > limits.idempotencyBytes / 2) return made
  await requests
    .replace(id, { ...stored.source, answer: made, bytes }, stored, { timeoutMs: KEEP_MS })
    .catch(ignoring(Stale, Unavailable))
  return made
}

/**
 * Finds or stores the first request with this key. Throws Conflict when it was a different request,
 * and Invalid when there is no room for another key.
 */
async function begun(ctx: Context, fresh: RememberedRequest, hasRoom: boolean) {
  const requests = requestsOf(ctx, ctx.organization.id)
  const { signal } = ctx
  for (;;) {
    const made = hasRoom
      ? await requests.create(fresh.id, fresh, { signal }).catch(ignoring(Conflict))
      : undefined
    if (made) return { stored: made, isRepeated: false }
    const found = await requests.get(fresh.id, { signal })
    if (!found && !hasRoom) throw tooManyKeys()
    if (!found) continue
    if (found.source.expires <= fresh.began) {
      await requests.remove(fresh.id, { at: found, signal }).catch(ignoring(Stale))
      continue
    }
    if (found.source.fingerprint !== fresh.fingerprint) {
      throw new Conflict(
        'Idempotency-Key: already used by a different request, or for a catalog that was deleted since; send each request with its own key',
      )
    }
    return { stored: found, isRepeated: true }
  }
}

const tooManyKeys = () =>
  new Invalid(
    'Idempotency-Key: too many keys of the organization within 24 hours; send more operations per request, or no key',
  )

/**
 * Bytes of an organization's remembered requests, a few seconds old. Concurrent requests may exceed
 * the limit together, which is acceptable because it only bounds growth.
 */
async function bytesKept(ctx: Context, now: Date): Promise<number> {
  const { organization, signal } = ctx
  const load = async () => {
    const { aggregations } = await requestsOf(ctx, organization.id).search({
      size: 0,
      query: { range: { expires: { gt: now.toISOString() } } },
      aggs: { bytes: { sum: { field: 'bytes' } } },
    })
    return (aggregations!.bytes as { value: number }).value
  }
  const kept = await ctx.cache.get('idempotency', organization.id, load, { signal })
  return kept!
}

function checkKey(key: string): void {
  if (key.length <= limits.idempotencyKeyLength && /^[\x21-\x7e]+$/.test(key)) return
  throw new Invalid(
    `Idempotency-Key: must have 1 to ${limits.idempotencyKeyLength} ASCII characters without spaces`,
  )
}

/** Removes expired requests. */
export const sweepIdempotency = (services: Services, signal?: AbortSignal): Promise<number> =>
  forEach(services, {
    name: 'forget idempotency keys',
    items: scanExpired(services, KIND),
    work: ({ id, scope }) => requestsOf(services, scope).remove(id),
    signal,
  })
