import { collection, hashedId } from '../elastic/collection.ts'
import type { Scoped } from '../elastic/scan.ts'
import { Conflict, Invalid, ignoring, Stale, Unavailable } from '../errors.ts'
import { scanExpired } from '../files/expired.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import type { Answers } from './answers.ts'

/** A request with an Idempotency-Key, and what was answered to it. */
interface RememberedRequest {
  readonly id: string
  /** Of what was asked for: another request may not have the same key. */
  readonly fingerprint: string
  readonly began: string
  readonly expires: string
  /**
   * Null before the end, or if it was not stored: a repetition with the same key then continues the
   * work, as after running out of time.
   */
  readonly answer: object | null
  /** What it takes of limits.idempotencyBytes; absent of those of older versions. */
  readonly bytes?: number
}

/** What a key takes, however short its answer is. */
const KEY_BYTES = 1024

/** One request to do something once, however often it is sent. */
export interface BatchAttempt {
  /** The same for each repetition of it. */
  readonly id: string
  /** When it was sent first. */
  readonly began: Date
  /** Some of it may be done already. */
  readonly isRepeated: boolean
  /** It has a key: it may come again. */
  readonly isRemembered: boolean
  /** Whether what is at this place of it is to be done, as all is that was not answered before. */
  isOpen(place: number): boolean
}

interface AskedOnce<Answer> extends Answers<Answer> {
  /** Without one each request is another one. */
  readonly key: string | undefined
  /** Everything that tells the request apart from others. */
  readonly request: readonly unknown[]
}

const KIND = 'idempotency'
/** For keeping an answer, which may be made when the time of its request is over. */
const KEEP_MS = 2_000

const requestsOf = ({ elastic }: Pick<Services, 'elastic'>, organization: string) =>
  collection<RememberedRequest>(elastic, { kind: KIND, scope: [organization] })

/**
 * Does `work` once for each key of a user: what was answered is answered again. What was interrupted
 * is done again with the same attempt, in which `work` recognises what it did; two at a time, too.
 * Throws Conflict for a key of another request, Invalid when there are too many keys.
 */
export async function answerOnce<Answer extends object>(
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
  // Without it a repetition looks at what is done, and answers the same.
  const bytes = KEY_BYTES + JSON.stringify(made).length
  if (kept + bytes > limits.idempotencyBytes / 2) return made
  await requests
    .replace(id, { ...stored.source, answer: made, bytes }, stored, { timeoutMs: KEEP_MS })
    .catch(ignoring(Stale, Unavailable))
  return made
}

/** The first request of a key, which this one repeats unless it is the first. Throws Invalid without room. */
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
        'Idempotency-Key: another request had this key. Send each request with a key of its own.',
      )
    }
    return { stored: found, isRepeated: true }
  }
}

const tooManyKeys = () =>
  new Invalid(
    'Idempotency-Key: the organization has sent too many keys within 24 hours. Send more operations with each, or no key.',
  )

/**
 * What an organization's requests take that are remembered, some seconds ago: requests at the same
 * time may pass a bound together, which holds growth.
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
    `Idempotency-Key: 1 to ${limits.idempotencyKeyLength} ASCII characters without spaces`,
  )
}

/** Forgets requests whose time is over. */
export const sweepIdempotency = (services: Services, signal?: AbortSignal): Promise<number> =>
  forEach(services, {
    name: 'forget idempotency keys',
    items: scanExpired<RememberedRequest>(services, KIND),
    work: ({ id, scope }: Scoped<RememberedRequest>) => requestsOf(services, scope).remove(id),
    signal,
  })
