import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import {
  type BulkPlan,
  batchAt,
  categoryOf,
  expectedOf,
  MOVED,
  offersAt,
  WRITERS,
  type Writer,
} from './bulk-plan.ts'
import { type BulkVerdict, compareBulk } from './bulk-verdict.ts'
import { dice, leaseHolder, startFleet, takenOver } from './fleet.ts'
import type { Instance } from './instances.ts'
import type { Place } from './stored.ts'
import { watchProgress } from './watch.ts'

interface BulkDrill extends Place, BulkPlan {
  /** How often a process is killed while it writes batches and offers. */
  readonly kills: number
  /** How often a process is killed during an update by a search, and as often during a deletion. */
  readonly taskKills: number
  readonly seed: number
  readonly leaseMs: number
  /** Delay of each bulk in milliseconds, so that there is time to interrupt. */
  readonly bulkMs: number
  readonly say?: (line: string) => void
}

/** Results of the drill; the last three should be empty or 0. */
interface BulkFigures extends BulkVerdict {
  readonly kills: number
  /** Answered requests, and the operations, lines and products in them. */
  readonly requests: number
  readonly acknowledged: number
  /** How often a request was sent again because its answer was lost. */
  readonly repeated: number
  /** How often a request was sent again because it timed out after a part was written. */
  readonly continued: number
  readonly seconds: number
  /** Answers that differ from what was requested, or from the first answer. */
  readonly miscounted: readonly string[]
}

interface Asked {
  readonly body: object
  readonly count: number
  readonly answer: object
}

const GIVE_UP_MS = 180_000

/** Whether operations were not written in time, and are to be sent again. */
const isCutShort = ({ results = [] }: { results?: readonly { status: number }[] }): boolean =>
  results.some(({ status }) => status === 503)

/** Writes through two processes, kills them in turn, and repeats requests without an answer. */
export async function bulkDrill(given: BulkDrill): Promise<BulkFigures> {
  const { bulkMs, say = () => undefined } = given
  const started = performance.now()
  const random = dice(given.seed)
  const folder = await mkdtemp(join(tmpdir(), 'aisle-bulk-'))
  const fleet = await startFleet(given, folder)
  const { front, proxy, alive } = fleet
  /** Number of bulks that are being delayed. */
  let passing = 0
  proxy.hold(async (line) => {
    if (!line.includes('_bulk')) return
    passing++
    await sleep(bulkMs)
    passing--
  })
  const organization = await newOrganization(front)
  const { call, id: owner } = organization
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const key = await organization.key('administrator')
  const figures = { kills: 0, requests: 0, acknowledged: 0, repeated: 0, continued: 0 }
  const miscounted: string[] = []
  const kill = async (one: Instance) => {
    figures.kills++
    await fleet.kill(one)
  }
  const check = (what: string, body: Record<string, unknown>, answer: object) => {
    for (const [name, count] of Object.entries(answer)) {
      if (body[name] !== count) miscounted.push(`${what}: ${name} ${body[name]}, not ${count}`)
    }
  }

  /** The answer of the first process that gives one. */
  async function answered(at: number, line: string, parts: Parameters<Call>[1]) {
    const until = performance.now() + GIVE_UP_MS
    for (let place = at; performance.now() < until; place++) {
      const all = [...alive.values()]
      const one = all[place % all.length]
      const by = one && caller(one, { key, organization: owner })
      const answer = await by?.(line, parts).catch(() => undefined)
      if (answer?.status === 200) {
        if (!isCutShort(answer.body)) return answer
        figures.continued++
      } else if (answer && answer.status < 429) throw new Error(JSON.stringify(answer.body))
      else figures.repeated++
      await sleep(20)
    }
    throw new Error(`${line}: no answer`)
  }

  async function write(writer: Writer, path: string, asked: Asked) {
    const line = `POST /api/Catalog/c/${path}`
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await answered(writer, line, { headers, body: asked.body })
    check(path, body, asked.answer)
    figures.requests++
    figures.acknowledged += asked.count
    if (random() > 0.2) return
    const again = await answered(writer + 1, line, { headers, body: asked.body })
    if (JSON.stringify(again.body) !== JSON.stringify(body)) miscounted.push(`${path}: changed`)
  }

  async function writeAll(writer: Writer): Promise<void> {
    for (let batch = 0; batch < given.batches; batch++) {
      await write(writer, 'products/batch', batchAt(given, writer, batch))
      await write(writer, 'offers', offersAt(given, writer, batch))
    }
  }

  async function killWhile(writing: Promise<unknown>): Promise<void> {
    let isOver = false
    const over = writing.finally(() => {
      isOver = true
    })
    const all = WRITERS.length * 2 * given.batches
    for (let n = 0; n < given.kills; n++) {
      const moment = Math.floor((all * (n + random())) / (given.kills + 1))
      while (figures.requests < moment && !isOver) await sleep(5)
      await sleep(random() * 2 * bulkMs)
      while (passing === 0 && !isOver) await sleep(1)
      if (isOver) break
      const one = [...alive.values()][Math.floor(random() * alive.size)]!
      say(`kill of ${one.name} after ${figures.requests} requests`)
      await kill(one)
    }
    await over
  }

  /** Runs an update or a deletion by a search while its process is killed. */
  async function runBySearch(action: 'update' | 'delete', asked: object, total: number) {
    const line = `POST /api/Catalog/c/products/${action}`
    await front.services.elastic.client.indices.refresh({ index: `${given.prefix}-products` })
    let look = await call(line, { body: asked })
    // A busy machine may answer 503; the request is repeated.
    while (look.status === 503) look = await call(line, { body: asked })
    check(action, look.body, { total })
    const { token } = look.body
    const { taskId } = (await expectOk(call(line, { body: { ...asked, token } }))).body
    const watch = watchProgress(call, taskId)
    for (let n = 0; n < given.taskKills; n++) {
      if (!(await watch.reaches(Math.floor((total * n) / given.taskKills)))) break
      const held = await leaseHolder(given, owner, { alive, isOver: watch.isOver })
      if (!held) break
      await sleep(random() * bulkMs)
      say(`kill of ${held.holder.name}, ${action} at ${watch.latest().processed} products`)
      await kill(held.holder)
      await takenOver(given, owner, held.lease.fence, watch.isOver)
    }
    const done = action === 'update' ? 'updated' : 'deleted'
    check(action, await watch.ended, { status: 'completed', processed: total, [done]: total })
    figures.acknowledged += total
  }

  try {
    await killWhile(Promise.all(WRITERS.map(writeAll)))
    const [changed, deleted] = [expectedOf(given, 0), expectedOf(given, 1)]
    const search = (writer: Writer) => ({ search: { category: categoryOf(writer) } })
    const update = { ...search(0), product: { segment: MOVED } }
    await runBySearch('update', update, changed.products.size)
    await runBySearch('delete', search(1), deleted.products.size)
    const verdict = await compareBulk(given, owner, { changed, deleted })
    const seconds = Math.round((performance.now() - started) / 1000)
    return { ...figures, seconds, miscounted, ...verdict }
  } finally {
    await fleet.stop()
  }
}
