import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../support/client.ts'

/** Figures of one kind of call during one fault. */
export interface CallFigures {
  readonly calls: number
  /** Number of answers by status, with the message of failures; 0 stands for no answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Share of the calls that were not answered with 200. */
  readonly failed: number
  /** Seconds from the first failure to the last. */
  readonly failedFor: number
  /** Whether every failure was a 503 with a Retry-After. */
  readonly isClear: boolean
  /** In milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly longest: number
}

interface Called {
  readonly at: number
  readonly ms: number
  readonly status: string
  readonly isClear: boolean
}

/**
 * Calls to one instance as two organizations: one without and one with a limit of search credits.
 */
export interface Caller {
  readonly free: Call
  readonly limited: Call
}

interface Credits {
  answered: number
  /** Searches that may or may not have been answered. */
  unsure: number
}

/** What was acknowledged, and must be stored at the end. */
interface Acknowledged {
  readonly products: Set<string>
  readonly items: Map<string, Set<string>>
  readonly searches: Credits
  readonly limitedSearches: Credits
}

export interface Load {
  readonly acknowledged: Acknowledged
  /** Figures of the calls since this was last called. */
  phase(): Readonly<Record<string, CallFigures>>
  stop(): Promise<void>
}

const SEARCHERS = 3
/**
 * The cluster and its callers share a machine, so the load is light: failures matter, not
 * throughput.
 */
const PAUSE_MS = 100
const ITEMS = 200

interface Catalogs {
  readonly free: string
  readonly limited: string
}

/** Searches, writes products and fills workspaces continuously, each call at the next instance. */
export function startLoad(instances: () => readonly Caller[], catalogs: Catalogs): Load {
  const acknowledged: Acknowledged = {
    products: new Set(),
    items: new Map(),
    searches: { answered: 0, unsure: 0 },
    limitedSearches: { answered: 0, unsure: 0 },
  }
  let called: Record<string, Called[]> = {}
  let isOver = false
  let turn = 0
  const send = async (kind: string, line: string, body: object, as: keyof Caller = 'free') => {
    const all = instances()
    const at = performance.now()
    const answer = await all[turn++ % all.length]![as](line, { body }).catch(() => undefined)
    const status = answer?.status ?? 0
    const said = status === 200 ? '' : ` ${answer?.body.message ?? ''}`
    const isClear = status === 200 || (status === 503 && answer!.headers.has('retry-after'))
    const list = called[kind] ?? []
    called[kind] = list
    list.push({ at, ms: performance.now() - at, status: `${status}${said}`, isClear })
    return status
  }
  const forever = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !isOver; n++) {
      await work(n)
      await sleep(PAUSE_MS)
    }
  }

  const search = async (n: number) => {
    const line = `POST /api/search?catalog=${catalogs.free}`
    const status = await send('search', line, { keywords: `part ${n % 50}` })
    acknowledged.searches[status === 200 ? 'answered' : 'unsure']++
  }
  const searchOnCredit = async () => {
    const line = `POST /api/search?catalog=${catalogs.limited}`
    const status = await send('search on credit', line, {}, 'limited')
    if (status === 200) acknowledged.limitedSearches.answered++
    // A search that was answered with a failure costs nothing.
    if (status === 0) acknowledged.limitedSearches.unsure++
  }
  const write = async (n: number) => {
    const id = `w-${n}`
    const body = { id, name: `Written ${n}` }
    if ((await send('write', `POST /api/Catalog/${catalogs.free}/products`, body)) === 200) {
      acknowledged.products.add(id)
    }
  }
  const fill = async (n: number) => {
    const name = `list-${Math.floor(n / ITEMS)}`
    if (!acknowledged.items.has(name)) {
      const status = await send('workspace', 'POST /api/workspaces', { name })
      // 409: an attempt that was answered 503 has created it.
      if (status !== 200 && status !== 409) return
      acknowledged.items.set(name, new Set())
    }
    const productId = `p-${n % ITEMS}`
    const items = [{ catalog: catalogs.free, productId }]
    const status = await send('workspace', `POST /api/workspaces/${name}/items`, { items })
    if (status === 200) acknowledged.items.get(name)!.add(productId)
  }

  const running = [
    ...Array.from({ length: SEARCHERS }, () => forever(search)),
    forever(searchOnCredit),
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

/** Computes the figures of a list of calls. */
function figuresOf(calls: readonly Called[]): CallFigures {
  const statuses: Record<string, number> = {}
  for (const { status } of calls) statuses[status] = (statuses[status] ?? 0) + 1
  const failures = calls.filter(({ status }) => status !== '200')
  const times = calls.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const ends = failures.map(({ at, ms }) => at + ms)
  return {
    calls: calls.length,
    statuses,
    failed: failures.length / Math.max(1, calls.length),
    failedFor:
      failures.length === 0
        ? 0
        : (Math.max(...ends) - Math.min(...failures.map(({ at }) => at))) / 1_000,
    isClear: calls.every(({ isClear }) => isClear),
    p50: quantile(0.5),
    p95: quantile(0.95),
    longest: times.at(-1) ?? 0,
  }
}
