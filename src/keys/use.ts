import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import { collection } from '../elastic/collection.ts'
import type { PublicContext, Services } from '../operation.ts'
import { perOwner } from '../platform/per-owner.ts'

/** Beside the key, so that a use does not get in the way of a change of the key. */
interface Use {
  readonly lastUsed: string
}

const usesOf = ({ elastic }: Pick<Services, 'elastic'>) =>
  collection<Use>(elastic, { kind: 'keys', scope: [] })

const idOf = (key: string) => `use of ${key}`

/** When this instance last noted a key, and the keys that wait to be written. */
interface Noted {
  readonly times: Map<string, number>
  waiting: Map<string, string>
  writing: boolean
}

const APART_MS = 60_000
const GATHER_MS = 500
const REMEMBERED = 10_000

const notedOf = perOwner<Elastic, Noted>(() => ({
  times: new Map(),
  waiting: new Map(),
  writing: false,
}))

/** Notes that a key was used, once a minute; the request does not wait for it. */
export function noteUse({ elastic, clock, background }: PublicContext, key: string): void {
  const mine = notedOf(elastic)
  const now = clock.now()
  if (now.getTime() - (mine.times.get(key) ?? 0) < APART_MS) return
  if (mine.times.size >= REMEMBERED) mine.times.clear()
  mine.times.set(key, now.getTime())
  mine.waiting.set(key, now.toISOString())
  if (!mine.writing) background.run('note the use of keys', () => drain(elastic, mine))
}

async function drain(elastic: Elastic, mine: Noted): Promise<void> {
  mine.writing = true
  try {
    while (mine.waiting.size > 0) {
      await setTimeout(GATHER_MS)
      const batch = [...mine.waiting]
      mine.waiting = new Map()
      await store(elastic, mine, batch)
    }
  } finally {
    mine.writing = false
  }
}

/** What another instance noted within the minute stays. */
async function store(elastic: Elastic, mine: Noted, batch: readonly [string, string][]) {
  const uses = usesOf({ elastic })
  const before = await uses.getMany(batch.map(([key]) => idOf(key)))
  const writes = batch.map(([key, lastUsed], at) => {
    const known = Date.parse(before[at]?.source.lastUsed ?? '')
    if (!(Date.parse(lastUsed) - known < APART_MS)) return uses.put(idOf(key), { lastUsed })
    mine.times.set(key, known)
    return undefined
  })
  await Promise.all(writes)
}

/** When each key was used last, up to a minute ago; null for one that never was. */
export async function lastUses(
  ctx: PublicContext,
  keys: readonly string[],
): Promise<(string | null)[]> {
  const found = await usesOf(ctx).getMany(keys.map(idOf), { signal: ctx.signal })
  return found.map((use) => use?.source.lastUsed ?? null)
}
