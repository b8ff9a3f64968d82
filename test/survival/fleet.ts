import { setTimeout as sleep } from 'node:timers/promises'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { bootstrapOperator } from '../../src/keys/bootstrap.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createLog } from '../../src/platform/log.ts'
import { createService } from '../../src/service.ts'
import { OPERATOR_KEY } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { testSecrets } from '../support/secrets.ts'
import { type Instance, startInstance } from './instances.ts'
import { leaseIn, type Place } from './stored.ts'

interface FrontSettings extends Place {
  /** Replicas of each index; 0 if absent. */
  readonly replicas?: number
  readonly leaseMs: number
}

/** Starts a service that only answers and runs no tasks, so it is never the one that is killed. */
export async function openFront(
  { node, prefix, leaseMs, replicas = 0 }: FrontSettings,
  folder: string,
) {
  const elastic = createElastic({ node, prefix, shards: 1, replicas })
  await prepareIndices(elastic, await readDefinitions('index-mappings'))
  const service = createService({
    elastic,
    files: createDirectoryStore(folder),
    clock: systemClock,
    log: createLog('fatal'),
    publicUrl: 'http://localhost:3000',
    secrets: testSecrets,
    tasks: { leaseMs, concurrency: 0 },
  })
  await bootstrapOperator(service.services, OPERATOR_KEY)
  service.start()
  return { ...service, fetch: async (request: Request) => service.fetch(request) }
}

interface FleetSettings extends FrontSettings {
  /** Value of OUTBOUND_ALLOW. */
  readonly allow?: string
}

/** Two processes behind a proxy of Elasticsearch that each run one task and can be killed. */
export async function startFleet({ allow, ...given }: FleetSettings, folder: string) {
  const front = await openFront(given, folder)
  const proxy = await startFaultProxy(given.node)
  const alive = new Map<string, Instance>()
  const { prefix, leaseMs } = given
  const { publicUrl } = front.services
  const parts = allow === undefined ? {} : { allow }
  let born = 0
  const add = async () => {
    const settings = { prefix, folder, publicUrl, skewMs: 0, leaseMs, concurrency: 1 }
    const name = `instance-${++born}`
    alive.set(name, await startInstance({ ...settings, ...parts, name, node: proxy.node }))
  }
  await Promise.all([add(), add()])
  return {
    front,
    proxy,
    alive: alive as ReadonlyMap<string, Instance>,
    /** Kills a process, and starts another one in its place. */
    async kill(one: Instance): Promise<void> {
      alive.delete(one.name)
      await Promise.all([one.end(), add()])
    },
    async stop(): Promise<void> {
      await Promise.all([...alive.values()].map((one) => one.end()))
      await front.stop()
      await proxy.close()
    },
  }
}

interface Known {
  readonly alive: ReadonlyMap<string, Instance>
  readonly isOver: () => boolean
}

/** The process that runs the task; undefined once it has ended. */
export async function leaseHolder(place: Place, organization: string, { alive, isOver }: Known) {
  while (!isOver()) {
    const lease = await leaseIn(place, organization)
    const holder = lease && alive.get(lease.holder)
    if (holder) return { lease, holder }
    await sleep(20)
  }
  return undefined
}

export async function takenOver(
  place: Place,
  organization: string,
  fence: number,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    const lease = await leaseIn(place, organization)
    if (isOver() || (lease && lease.fence > fence)) return
    await sleep(50)
  }
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
