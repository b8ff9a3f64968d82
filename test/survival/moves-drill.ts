import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { ALL_PRODUCTS } from '../../src/elastic/own-index.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
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
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const operations = Array.from({ length: products }, (_, at) => ({
    action: 'create',
    product: { id: idAt(at), name: at < STABLE ? `Stable ${at}` : `Other ${at}`, msrp: 0 },
  }))
  await expectOk(call('POST /api/Catalog/c/products/batch', { body: { operations } }))
  const key = await organization.key('administrator')
  const expected = new Map(operations.map(({ product: { id, msrp } }) => [id, msrp]))
  const miscounted: string[] = []
  let [kills, acknowledged, searches] = [0, 0, 0]
  let isOver = false
  const stored = async () => (await catalogsOf(front.services, owner).get('c'))!.source

  /** Sends a request to one process after another until one answers as `statuses` say. */
  async function insist(line: string, statuses: readonly number[], body?: object): Promise<void> {
    const until = performance.now() + GIVE_UP_MS
    for (let at = Math.floor(random() * 2); performance.now() < until; at++) {
      const all = [front, ...alive.values()]
      const one: Call = caller(all[at % all.length]!, { key, organization: owner })
      const status = (await one(line, body ? { body } : {}).catch(() => undefined))?.status
      if (status !== undefined && statuses.includes(status)) {
        acknowledged++
        return void (await sleep(LOOK_MS))
      }
      if (status !== undefined && status < 429) miscounted.push(`${line}: ${status}`)
      await sleep(LOOK_MS)
    }
    throw new Error(`${line}: no answer`)
  }

  async function edit(): Promise<void> {
    for (let round = 1; !isOver; round++) {
      const id = idAt(STABLE + (round % EDITED))
      await insist(`PUT /api/Catalog/c/products/${id}`, [200], { msrp: round })
      expected.set(id, round)
    }
  }

  /** Creates and deletes: a repetition finds what an attempt without an answer did. */
  async function comeAndGo(): Promise<void> {
    for (let round = 0; !isOver; round++) {
      const id = `n${round}`
      const product = { id, name: 'New', msrp: round }
      await insist('POST /api/Catalog/c/products', [200, 409], product)
      expected.set(id, round)
      const gone = round % 3 === 0 ? idAt(products - 1 - round / 3) : id
      if (round % 2 === 0 || !expected.has(gone)) continue
      await insist(`DELETE /api/Catalog/c/products/${gone}`, [200, 404])
      expected.delete(gone)
    }
  }

  async function search(): Promise<void> {
    for (; !isOver; searches++) {
      const found = await call('POST /api/search/count?catalog=c', { body: { keywords: 'stable' } })
      if (found.status === 503) continue
      if (found.body.count !== STABLE) {
        miscounted.push(`search ${searches}: ${found.status}, ${JSON.stringify(found.body)}`)
      }
    }
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
    say(`kill of ${held.holder.name}: ${step}`)
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
    say(`moved to ${shards} shards after ${kills} kills`)
  }

  try {
    const work = Promise.all([edit(), comeAndGo(), search()])
    const moving = (async () => {
      for (const shards of moves) await move(shards)
    })().finally(() => {
      isOver = true
    })
    await Promise.all([moving, work])
    const verdict = await compare(given, owner, expected)
    const seconds = Math.round((performance.now() - started) / 1_000)
    return { kills, acknowledged, searches, seconds, ...verdict, miscounted }
  } finally {
    isOver = true
    await fleet.stop()
  }
}

/** Compares the products of the shared index, and of any other that is left, with what was acknowledged. */
async function compare(place: Place, owner: string, expected: ReadonlyMap<string, number>) {
  let [found, lost, doubled] = [0, 0, 0]
  for await (const { id, msrp } of storedIn(place, `${owner}/c`, ALL_PRODUCTS)) {
    const wanted = expected.get(id)
    if (wanted === undefined) doubled++
    else if (wanted !== msrp) lost++
    if (wanted !== undefined) found++
  }
  if (found > expected.size) doubled += found - expected.size
  return { lost: lost + Math.max(0, expected.size - found), doubled }
}
