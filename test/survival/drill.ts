import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { dice, leaseHolder, openFront, takenOver } from './fleet.ts'
import { type Instance, startInstance } from './instances.ts'
import { type Place, storedIn } from './stored.ts'
import { expectedOf, fileOf } from './survival-file.ts'
import { compare } from './verdict.ts'
import { editWhile, watchProgress } from './watch.ts'

export interface Drill {
  readonly node: string
  readonly prefix: string
  readonly rows: number
  /** How often the process that runs the import is killed. */
  readonly kills: number
  /** How often it is frozen for three leases and resumed. */
  readonly freezes: number
  readonly seed: number
  readonly leaseMs: number
  /**
   * Delay of each bulk in milliseconds, so that a small file takes long enough to be interrupted.
   */
  readonly bulkMs?: number
  readonly say?: (line: string) => void
}

/** Results of the drill; all but the first five should be empty or 0. */
export interface Figures {
  readonly kills: number
  readonly freezes: number
  readonly edits: number
  readonly seconds: number
  readonly task: Record<string, unknown>
  /** Products or offers of the file that are missing or differ. */
  readonly lost: number
  /**
   * Products that are not in the file, and products changed more often than its rows and people
   * did.
   */
  readonly doubled: number
  /** Changes by people that are missing. */
  readonly editsLost: number
  /** Writes of a former holder that took effect after another one had taken over. */
  readonly zombieWrites: number
  /** How often progress went backwards between two answers. */
  readonly fell: number
  /** Counts that differ from those of the file. */
  readonly miscounted: readonly string[]
}

const LATE_ROWS = 9_000
/** Milliseconds that a bulk takes while a process is frozen. */
const FROZEN_MS = 1_500
const CLOCKS = [30_000, -30_000]

/** Imports a file with two processes, and kills or freezes the one that runs it. */
export async function drill(given: Drill): Promise<Figures> {
  const { node, prefix, rows, leaseMs, say = () => undefined } = given
  const started = performance.now()
  const expected = expectedOf(rows)
  const random = dice(given.seed)
  const folder = await mkdtemp(join(tmpdir(), 'aisle-survival-'))
  const front = await openFront(given, folder)
  const proxy = await startFaultProxy(node)
  let pace = given.bulkMs ?? 0
  proxy.hold((line) => (line.includes('_bulk') ? sleep(pace) : undefined))
  const { id: organization, call } = await newOrganization(front)
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const place = { node, prefix }
  let born = 0
  const spawn = () => {
    const skewMs = CLOCKS[born % CLOCKS.length]!
    const name = `instance-${++born}`
    const publicUrl = front.services.publicUrl
    const settings = { prefix, folder, publicUrl, skewMs, leaseMs, concurrency: 2 }
    return startInstance({ ...settings, name, node: proxy.node })
  }
  const alive = new Map<string, Instance>()
  const add = async () => {
    const one = await spawn()
    alive.set(one.name, one)
  }
  const edits = new Map<string, string>()
  try {
    await Promise.all([add(), add()])
    const task = await queued(call, rows)
    const watch = watchProgress(call, task)
    const editing = editWhile(call, { watch, rows, random, edits })
    // The import continues while a process is frozen, so freezes come last.
    const faults = [
      ...Array.from({ length: given.kills }, () => 'kill' as const),
      ...Array.from({ length: given.freezes }, () => 'freeze' as const),
    ]
    // Beyond this point a small file is finished before a fault can happen.
    const until = Math.max(rows - LATE_ROWS, rows / 2)
    const moments = faults.map((fault, i) => ({
      fault,
      at: Math.floor(((i + random()) / faults.length) * until),
    }))
    const done = { kill: 0, freeze: 0 }
    let zombieWrites = 0
    for (const { fault, at } of moments) {
      if (!(await watch.reaches(at))) break
      await sleep(random() * 100)
      const held = await leaseHolder(place, organization, { alive, isOver: watch.isOver })
      if (!held) break
      const { lease, holder } = held
      done[fault]++
      say(`${fault} of ${holder.name} at ${watch.latest().processed} rows`)
      alive.delete(holder.name)
      if (fault === 'kill') {
        await Promise.all([holder.end(), add()])
        await takenOver(place, organization, lease.fence, watch.isOver)
        continue
      }
      holder.signal('SIGSTOP')
      // Slow down, so that work is left when the frozen process resumes.
      pace = FROZEN_MS
      await takenOver(place, organization, lease.fence, watch.isOver)
      await sleep(2 * leaseMs)
      const before = await latestWrite(place, organization)
      holder.signal('SIGCONT')
      await sleep(leaseMs)
      for await (const product of storedIn(place, `${organization}/c`)) {
        if (product.fence === lease.fence && product.seqNo > before) zombieWrites++
      }
      alive.set(holder.name, holder)
      pace = given.bulkMs ?? 0
    }
    const last = await watch.ended
    await editing
    const verdict = await compare(place, `${organization}/c`, { expected, edits })
    return {
      kills: done.kill,
      freezes: done.freeze,
      edits: edits.size,
      seconds: Math.round((performance.now() - started) / 1000),
      task: last,
      ...verdict,
      zombieWrites,
      fell: watch.fell(),
      miscounted: Object.entries(expected.counts)
        .filter(([name, count]) => last[name] !== count)
        .map(([name, count]) => `${name}: ${last[name]} instead of ${count}`),
    }
  } finally {
    await Promise.all([...alive.values()].map((one) => one.end()))
    await front.stop()
    await proxy.close()
  }
}

async function queued(call: Call, rows: number): Promise<string> {
  const file = await expectOk(
    call('POST /api/files?name=data.csv', {
      body: [...fileOf(rows)].join(''),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  )
  const body = { fileUrl: file.body.url, targetCatalog: 'c' }
  return (await expectOk(call('POST /api/extensions/import/import', { body }))).body.taskId
}

async function latestWrite(place: Place, organization: string): Promise<number> {
  let latest = 0
  for await (const { seqNo } of storedIn(place, `${organization}/c`))
    latest = Math.max(latest, seqNo)
  return latest
}
