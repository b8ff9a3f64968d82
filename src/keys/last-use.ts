import type { Elastic } from '../elastic/client.ts'
import { collection } from '../elastic/collection.ts'
import type { PublicContext, Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'

/** Stored beside the key, so that noting a use does not conflict with a change of the key. */
interface LastUse {
  readonly lastUsed: string
}

const usesOf = ({ elastic }: Pick<Services, 'elastic'>) =>
  collection<LastUse>(elastic, { kind: 'keys', scope: [] })

const idOf = (key: string) => `use of ${key}`

interface KeyUse extends LastUse {
  readonly key: string
}

interface NotedUses {
  /** When this instance last noted a use of each key. */
  readonly times: Map<string, number>
  readonly uses: Batches<KeyUse>
}

const APART_MS = 60_000
const GATHER_MS = 500
const REMEMBERED = 10_000

const notedOf = memoizeWeak<Elastic, NotedUses>(() => ({
  times: new Map(),
  uses: createBatches(GATHER_MS),
}))

/** Notes that a key was used, once a minute; the request does not wait for it. */
export function noteUse(ctx: PublicContext, key: string): void {
  const { times, uses } = notedOf(ctx.elastic)
  const now = ctx.clock.now()
  if (now.getTime() - (times.get(key) ?? 0) < APART_MS) return
  if (times.size >= REMEMBERED) times.clear()
  times.set(key, now.getTime())
  uses.add(
    '',
    { key, lastUsed: now.toISOString() },
    (batch) => store(ctx, times, batch).catch((error) => logFailure(ctx.log, 'use of keys', error)),
    (batches) => ctx.background.run('note the use of keys', () => batches),
  )
}

/** Stores uses, except of keys for which another instance noted one within the minute. */
async function store(ctx: PublicContext, times: NotedUses['times'], batch: readonly KeyUse[]) {
  const uses = usesOf(ctx)
  const before = await uses.getMany(batch.map(({ key }) => idOf(key)))
  const writes = batch.map(({ key, lastUsed }, at) => {
    const known = Date.parse(before[at]?.source.lastUsed ?? '')
    if (!(Date.parse(lastUsed) - known < APART_MS)) return uses.put(idOf(key), { lastUsed })
    times.set(key, known)
    return undefined
  })
  await Promise.all(writes)
}

/** When each key was last used, to the minute; null for one that never was. */
export async function lastUses(
  ctx: PublicContext,
  keys: readonly { readonly id: string }[],
): Promise<(string | null)[]> {
  const ids = keys.map(({ id }) => idOf(id))
  const found = await usesOf(ctx).getMany(ids, { signal: ctx.signal })
  return found.map((use) => use?.source.lastUsed ?? null)
}
