import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { ALL_PRODUCTS } from '../../src/elastic/own-index.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  untilAccepted,
} from '../support/client.ts'
import { dice, leaseHolder, startFleet, takenOver } from './fleet.ts'
import { type Place, storedIn } from './stored.ts'

interface MovesDrill extends Place {
  /** At most as many as a batch writes. */
  readonly products: number
  /** The shards of each index that the catalog moves to; 0: the shared one, which the last must be. */
  readonly moves: readonly number[]
  readonly seed: number
  readonly leaseMs: number
  /** Delays each write of the processes by up to so many milliseconds, so that some arrive late. */
  readonly bulkMs: number
  readonly say?: (line: string) => void
}

/** The outcome; everything from `lost` on should be zero or empty. */
interface MovesFigures {
  readonly kills: number
  readonly acknowledged: number
  readonly searches: number
  readonly seconds: number
  /** Acknowledged products and prices that are not stored. */
  readonly lost: number
  /** Stored products that were deleted, and products left in another index. */
  readonly doubled: number
  readonly miscounted: readonly string[]
}

/** The moments of a move at which the process that runs it is killed. */
const STEPS = ['copying', 'copying', 'sealed', 'flipped'] as const
type Step = (typeof STEPS)[number]
/** Bulks, and changes of the documents of catalogs. */
const WRITES = /_bulk|^PUT .*-catalogs\//
const GIVE_UP_MS = 120_000
const LOOK_MS = 20
/** Products that are searched and never changed, of the first ones. */
const STABLE = 100
/** Products whose prices are changed. */
const EDITED = 50

const idAt = (at: number): string => `p${at}`

/** Moves a catalog that is searched and written, while the process that moves it is killed at each step. */
export async function movesDrill(given: MovesDrill): Promise<MovesFigures> {
  const { products, moves, bulkMs, say = () => undefined } = given
  const started = performance.now()
  const random = dice(given.seed)
  const folder = await mkdtemp(join(tmpdir(), 'aisle-moves-'))
  const fleet = await startFleet(given, folder)
  const { front, proxy, alive } = fleet
  proxy.hold((line) => (WRITES.test(line) ? sleep(random() * bulkMs) : undefined))
  const organization = await newOrganization(front)
  const { call, id: owner } = organization
  const accepted = async (line: string, body: object) =>
    expectOk(untilAccepted(() => call(line, { body })).then(({ answer }) => answer))
  await accepted('POST /api/Catalog', { name: 'c' })
  const operations = Array.from({ length: products }, (_, at) => ({
    action: 'create',
    product: { id: idAt(at), name: at < STABLE ? `Stable ${at}` : `Other ${at}`, msrp: 0 },
  }))
  await accepted('POST /api/Catalog/c/products/batch', { operations })
  const key = await organization.key('administrator')
  const expected = new Map(operations.map(({ product: { id, msrp } }) => [id, msrp]))
  /** Who acknowledged the last write of each product, and when. */
  const writers = new Map<string, string>()
  const wrong: Wrong = { lost: new Set(), doubled: new Set() }
  const miscounted: string[] = []
  let [kills, acknowledged, searches, edits, visits] = [0, 0, 0, 0, 0]
  let isMoving = false
  const stored = async () => (await catalogsOf(front.services, owner).get('c'))!.source
  const elapsed = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`

  /** Sends a request to one process after another until one answers as `statuses` say. */
  async function insist(line: string, statuses: readonly number[], body?: object): Promise<string> {
    const until = performance.now() + GIVE_UP_MS
    for (let at = Math.floor(random() * 2); performance.now() < until; at++) {
      const all = [['front', front] as const, ...alive]
      const [name, process] = all[at % all.length]!
      const one: Call = caller(process, { key, organization: owner })
      const status = (await one(line, body ? { body } : {}).catch(() => undefined))?.status
      if (status !== undefined && statuses.includes(status)) {
        acknowledged++
        await sleep(LOOK_MS)
        return `${line.split(' ')[0]} ${status} of ${name} after ${elapsed()}`
      }
      if (status !== undefined && status < 429) miscounted.push(`${line}: ${status}`)
      await sleep(LOOK_MS)
    }
    throw new Error(`${line}: no answer`)
  }

  async function edit(): Promise<void> {
    const msrp = ++edits
    const id = idAt(STABLE + (msrp % EDITED))
    writers.set(id, await insist(`PUT /api/Catalog/c/products/${id}`, [200], { msrp }))
    expected.set(id, msrp)
  }

  /** Creates and deletes: a repetition finds what an attempt without an answer did. */
  async function comeAndGo(): Promise<void> {
    const msrp = visits++
    const id = `n${msrp}`
    const product = { id, name: 'New', msrp }
    writers.set(id, await insist('POST /api/Catalog/c/products', [200, 409], product))
    expected.set(id, msrp)
    const gone = msrp % 3 === 0 ? idAt(products - 1 - msrp / 3) : id
    if (msrp % 2 === 0 || !expected.has(gone)) return
    writers.set(gone, await insist(`DELETE /api/Catalog/c/products/${gone}`, [200, 404]))
    expected.delete(gone)
  }

  async function search(): Promise<void> {
    const found = await call('POST /api/search/count?catalog=c', { body: { keywords: 'stable' } })
    searches++
    if (found.status === 503 || found.body.count === STABLE) return
    miscounted.push(`search ${searches}: ${found.status}, ${JSON.stringify(found.body)}`)
  }

  const keepOn = async (work: () => Promise<void>) => {
    while (isMoving) await work()
  }

  /** Waits for a phase of the move; false when it is over before that. */
  async function reaches(task: string, phase: string): Promise<boolean> {
    for (;;) {
      const { move, wanted } = await stored()
      if (move?.task === task && move.phase === phase) return true
      if (move?.phase === 'flipped' || (!move && !wanted)) return false
      await sleep(LOOK_MS)
    }
  }

  /** Watches a task that may not be queued yet. */
  function watchEnd(task: string) {
    let hasEnded = false
    const end = (async () => {
      while (!hasEnded) {
        hasEnded = (await call(`GET /api/tasks/${task}`)).body.completed === true
        await sleep(5 * LOOK_MS)
      }
    })()
    return { end, isOver: () => hasEnded }
  }

  async function killAt(task: string, step: Step, isEnded: () => boolean): Promise<void> {
    if (!(await reaches(task, step))) return
    const held = await leaseHolder(given, owner, { alive, isOver: isEnded })
    if (!held) return
    if (step === 'copying') await sleep(random() * 1_000)
    say(`${elapsed()}: kill of ${held.holder.name}, ${step}`)
    kills++
    await fleet.kill(held.holder)
    await takenOver(given, owner, held.lease.fence, isEnded)
  }

  async function move(shards: number): Promise<void> {
    const body = { name: 'c', shards }
    await expectOk(call('PUT /api/Catalog', { key: OPERATOR_KEY, body }))
    const task = (await stored()).wanted!.id
    const watch = watchEnd(task)
    for (const step of STEPS) await killAt(task, step, watch.isOver)
    await watch.end
    // The other index is deleted before `move` goes.
    while ((await stored()).move || (await stored()).wanted) await sleep(10 * LOOK_MS)
    const found = (await stored()).ownIndex?.shards ?? 0
    if (found !== shards) miscounted.push(`moved to ${found} shards, not ${shards}`)
    say(`${elapsed()}: moved to ${shards} shards after ${kills} kills`)
  }

  try {
    for (const shards of moves) {
      isMoving = true
      const work = Promise.all([edit, comeAndGo, search].map(keepOn))
      await move(shards).finally(() => {
        isMoving = false
      })
      await work
      for await (const { id, kind, found } of compare(given, owner, expected)) {
        if (wrong[kind].has(id)) continue
        wrong[kind].add(id)
        const wanted = expected.get(id) ?? 'nothing'
        say(`${kind}: ${id} has ${found} in place of ${wanted}, ${writers.get(id) ?? 'the batch'}`)
      }
    }
    const [lost, doubled] = [wrong.lost.size, wrong.doubled.size]
    const seconds = Math.round((performance.now() - started) / 1_000)
    return { kills, acknowledged, searches, seconds, lost, doubled, miscounted }
  } finally {
    isMoving = false
    await fleet.stop()
  }
}

/** Ids of products that are not as acknowledged. */
interface Wrong {
  readonly lost: Set<string>
  readonly doubled: Set<string>
}

/** Compares the products in the indices of a catalog with what was acknowledged. */
async function* compare(place: Place, owner: string, expected: ReadonlyMap<string, number>) {
  const seen = new Set<string>()
  for await (const { id, msrp: found } of storedIn(place, `${owner}/c`, ALL_PRODUCTS)) {
    if (seen.has(id) || !expected.has(id)) yield { id, found, kind: 'doubled' } as const
    else if (expected.get(id) !== found) yield { id, found, kind: 'lost' } as const
    seen.add(id)
  }
  for (const id of expected.keys()) {
    if (!seen.has(id)) yield { id, found: 'nothing', kind: 'lost' } as const
  }
}
