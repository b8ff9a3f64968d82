import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../support/client.ts'

/** What became of one kind of call while one thing was done to the cluster. */
export interface CallFigures {
  readonly calls: number
  /** How often each status came; 0: no answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Shares of the calls that were not answered 200. */
  readonly failed: number
  /** Seconds from the first failure to the last. */
  readonly failedFor: number
  readonly p95: number
  /** Milliseconds. */
  readonly longest: number
}

interface Called {
  readonly at: number
  readonly ms: number
  readonly status: number
}

/** What was acknowledged, and therefore has to be there at the end. */
interface Acknowledged {
  readonly products: Set<string>
  readonly items: Map<string, Set<string>>
  searches: number
  /** Searches that may have been charged without an answer. */
  unsure: number
}

export interface Load {
  readonly acknowledged: Acknowledged
  /** Figures of what came since the last call, and of no more. */
  phase(): Readonly<Record<string, CallFigures>>
  stop(): Promise<void>
}

const SEARCHERS = 3
const PAUSE_MS = 30
const ITEMS = 200

/** Searches, writes products and fills workspaces all the time, each call at the next instance. */
export function startLoad(instances: () => readonly Call[], catalog: string): Load {
  const acknowledged: Acknowledged = {
    products: new Set(),
    items: new Map(),
    searches: 0,
    unsure: 0,
  }
  let called: Record<string, Called[]> = {}
  let isOver = false
  let turn = 0
  const send = async (kind: string, line: string, body: object) => {
    const all = instances()
    const at = performance.now()
    const answer = await all[turn++ % all.length]!(line, { body }).catch(() => undefined)
    const status = answer?.status ?? 0
    const list = called[kind] ?? []
    called[kind] = list
    list.push({ at, ms: performance.now() - at, status })
    return status
  }
  const forever = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !isOver; n++) {
      await work(n)
      await sleep(PAUSE_MS)
    }
  }

  const search = (n: number) =>
    send('search', `POST /api/search?catalog=${catalog}`, { keywords: `part ${n % 50}` }).then(
      (status) => {
        if (status === 200) acknowledged.searches++
        else acknowledged.unsure++
      },
    )
  const write = async (n: number) => {
    const id = `w-${n}`
    const body = { id, name: `Written ${n}` }
    if ((await send('write', `POST /api/Catalog/${catalog}/products`, body)) === 200) {
      acknowledged.products.add(id)
    }
  }
  const fill = async (n: number) => {
    const name = `list-${Math.floor(n / ITEMS)}`
    if (!acknowledged.items.has(name)) {
      if ((await send('workspace', 'POST /api/workspaces', { name })) !== 200) return
      acknowledged.items.set(name, new Set())
    }
    const productId = `p-${n % ITEMS}`
    const items = [{ catalog, productId }]
    const status = await send('workspace', `POST /api/workspaces/${name}/items`, { items })
    if (status === 200) acknowledged.items.get(name)!.add(productId)
  }

  const running = [
    ...Array.from({ length: SEARCHERS }, () => forever(search)),
    forever(write),
    forever(fill),
  ]
  return {
    acknowledged,
    phase() {
      const figures = Object.fromEntries(
        Object.entries(called).map(([kind, calls]) => [kind, figuresOf(calls)]),
      )
      called = {}
      return figures
    },
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Figures of calls that were made one after another, or beside each other. */
function figuresOf(calls: readonly Called[]): CallFigures {
  const statuses: Record<string, number> = {}
  for (const { status } of calls) statuses[status] = (statuses[status] ?? 0) + 1
  const failures = calls.filter(({ status }) => status !== 200)
  const times = calls.map(({ ms }) => ms).sort((a, b) => a - b)
  const ends = failures.map(({ at, ms }) => at + ms)
  return {
    calls: calls.length,
    statuses,
    failed: failures.length / Math.max(1, calls.length),
    failedFor:
      failures.length === 0
        ? 0
        : (Math.max(...ends) - Math.min(...failures.map(({ at }) => at))) / 1_000,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    longest: times.at(-1) ?? 0,
  }
}
