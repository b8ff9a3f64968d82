import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { newShop } from '../support/credits.ts'
import { upload } from '../support/imports.ts'
import { openFront } from '../survival/fleet.ts'
import { type Instance, startInstance } from '../survival/instances.ts'
import { type Caller, type CallFigures, startLoad } from './load.ts'
import { type Cluster, type ClusterNode, startCluster } from './nodes.ts'
import { type Losses, lossesOf } from './verdict.ts'

interface ClusterDrill {
  readonly prefix: string
  /** Rows of the import that runs during each fault. */
  readonly rows: number
  /** Seconds for which a node is away. */
  readonly awaySeconds: number
  /** Phases whose name contains one of these; all if empty. */
  readonly only: readonly string[]
  readonly say: (line: string) => void
}

export interface ClusterFigures extends Losses {
  readonly phases: Readonly<Record<string, Readonly<Record<string, CallFigures>>>>
  readonly imports: readonly string[]
}

const CATALOG = 'c'
const NODES = 3
const WHOLE = 'whole'
const TASKS = 'GET /api/tasks?includeDismissed=true'
const GIVE_UP_MS = 180_000
const WARM_MS = 5_000
/** More than a drill can use. */
const CREDITS = 1_000_000

type Alive = Caller & { readonly instance: Instance }

/** The cluster and instances that faults are applied to. */
interface Scene {
  readonly cluster: Cluster
  away(): Promise<void>
  /** Replaces each instance by a new one, one after another. */
  replaceInstances(): Promise<void>
}

const PHASES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  quiet: ({ away }) => away(),
  'the leading node is killed': async ({ cluster, away }) => {
    const node = await cluster.master()
    await node.kill()
    await away()
    await back(cluster, node)
  },
  'a node is frozen': async ({ cluster, away }) => {
    const master = await cluster.master()
    const node = cluster.nodes.find((one) => one !== master)!
    await node.freeze()
    await away()
    await node.thaw()
    await cluster.green()
  },
  'the nodes are restarted, one after another': async ({ cluster }) => {
    for (const node of cluster.nodes) await cluster.restart(node)
  },
  'the instances are replaced, one after another': ({ replaceInstances }) => replaceInstances(),
}

/**
 * Kills, freezes and restarts the nodes of a cluster, and both instances, during searches, writes
 * and imports, and then checks that everything acknowledged is stored.
 */
export async function clusterDrill(given: ClusterDrill): Promise<ClusterFigures> {
  const { prefix, only, say } = given
  const wanted = Object.entries(PHASES).filter(
    ([name]) => only.length === 0 || only.some((text) => name.includes(text)),
  )
  if (wanted.length === 0) throw new Error(`phases: ${Object.keys(PHASES).join('; ')}`)
  const cluster = await startCluster(NODES)
  say('the cluster is there')
  const place = { node: cluster.addresses, prefix, replicas: 1 }
  const folder = await mkdtemp(join(tmpdir(), 'aisle-cluster-files-'))
  const leaseMs = 10_000
  const front = await openFront({ ...place, leaseMs }, folder)
  const organization = await newOrganization(front)
  const shop = await newShop(front, { searchCredits: CREDITS })
  const keys = {
    free: { key: await organization.key('administrator'), organization: organization.id },
    limited: { key: await shop.org.key('viewer', 'search'), organization: shop.org.id },
  }
  const { call } = organization
  const { publicUrl } = front.services
  let born = 0
  const add = async (): Promise<Alive> => {
    const name = `instance-${++born}`
    const settings = { ...place, name, folder, publicUrl, skewMs: 0, leaseMs, concurrency: 1 }
    const instance = await startInstance(settings)
    return {
      instance,
      free: caller(instance, keys.free),
      limited: caller(instance, keys.limited),
    }
  }
  let alive: Alive[] = []
  const phases: Record<string, Record<string, CallFigures>> = {}
  const imports: string[] = []
  const scene: Scene = {
    cluster,
    away: () => sleep(given.awaySeconds * 1_000),
    async replaceInstances() {
      for (const old of [...alive]) {
        const next = await add()
        alive = [...alive.filter((one) => one !== old), next]
        // Like an instance that a load balancer has taken out: it finishes its requests.
        await old.instance.stop()
      }
    },
  }
  try {
    // A request that was answered 503 may have created it.
    const made = await patient(call)('POST /api/Catalog', { body: { name: CATALOG } })
    if (![200, 409].includes(made.status)) throw new Error(made.body.message)
    alive = [await add(), await add()]
    const seeded = await startedImport(call, 'p', given.rows)
    const end = await importEnd(call, seeded, given.rows)
    if (end !== WHOLE) throw new Error(end)
    await cluster.green()
    const load = startLoad(() => alive, { free: CATALOG, limited: shop.catalog })
    // The first requests of new processes are slow and do not count.
    await sleep(WARM_MS)
    for (const [name, work] of wanted) {
      say(name)
      const began = performance.now()
      const seconds = () => Math.round((performance.now() - began) / 1_000)
      load.phase()
      const task = await startedImport(call, `i${Object.keys(phases).length}`, given.rows)
      await work(scene)
      say(`done after ${seconds()} s`)
      imports.push(`${name}: ${await importEnd(call, task, given.rows)}`)
      phases[name] = load.phase()
      say(`imported after ${seconds()} s: ${JSON.stringify(phases[name], null, 1)}`)
    }
    await load.stop()
    const { acknowledged } = load
    const catalog = { organization: organization.id, name: CATALOG }
    const losses = await lossesOf({
      place: { node: cluster.nodes[0]!.address, prefix },
      call: patient(call),
      front,
      catalog,
      limited: shop.org.id,
      acknowledged,
    })
    return { phases, imports, ...losses }
  } finally {
    await Promise.all(alive.map(({ instance }) => instance.end()))
    await front.stop().catch(() => undefined)
    await cluster.close()
  }
}

/** Retries requests for setup and final checks after 503 and 429. */
const patient =
  (call: Call): Call =>
  async (line, parts) => {
    const until = performance.now() + GIVE_UP_MS
    for (;;) {
      const answer = await call(line, parts)
      if (answer.status !== 503 || performance.now() > until) return answer
      await sleep(200)
    }
  }

async function back(cluster: Cluster, node: ClusterNode): Promise<void> {
  await node.start()
  await cluster.green()
}

const csv = (prefix: string, rows: number) =>
  [
    'id,name',
    ...Array.from({ length: rows }, (_, n) => `${prefix}-${n},Part ${n % 50} of ${n}`),
  ].join('\n')

/** Queues an import once: a request that was answered 503 may have queued it nevertheless. */
async function startedImport(call: Call, prefix: string, rows: number): Promise<string> {
  const name = `${prefix}.csv`
  const fileUrl = await upload(patient(call), csv(prefix, rows), name)
  const body = { fileUrl, targetCatalog: CATALOG }
  for (;;) {
    const { status, body: answer } = await call('POST /api/extensions/import/import', { body })
    if (status === 200) return answer.taskId
    const { body: listed } = await expectOk(patient(call)(TASKS))
    const queued = listed.items.find((task: { source: string }) => task.source === name)
    if (queued) return queued.id
  }
}

/** How an import ended; asks again if there was no answer. */
async function importEnd(call: Call, id: string, rows: number): Promise<string> {
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    const { status, body } = await call(TASKS)
    const task = status === 200 && body.items.find((one: { id: string }) => one.id === id)
    if (task && ['completed', 'failed', 'cancelled'].includes(task.status)) {
      const { created, rejected } = task
      return task.status === 'completed' && created === rows && rejected === 0
        ? WHOLE
        : `${task.status}, ${created} created, ${rejected} rejected: ${task.message}`
    }
    await sleep(200)
  }
  return 'not ended'
}
