import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { startImport } from '../support/imports.ts'
import { openFront } from '../survival/fleet.ts'
import { type Instance, startInstance } from '../survival/instances.ts'
import { type CallFigures, startLoad } from './load.ts'
import { type Cluster, type ClusterNode, startCluster } from './nodes.ts'

interface ClusterDrill {
  readonly prefix: string
  /** Rows of the import that runs beside each fault. */
  readonly rows: number
  /** Seconds that a node is away. */
  readonly awaySeconds: number
  readonly say: (line: string) => void
}

export interface ClusterFigures {
  readonly phases: Readonly<Record<string, Readonly<Record<string, CallFigures>>>>
  /** Acknowledged, and not there at the end. */
  readonly lost: readonly string[]
  readonly imports: readonly string[]
  readonly charged: { readonly least: number; readonly counted: number; readonly most: number }
}

const CATALOG = 'c'
const NODES = 3
const WHOLE = 'whole'
const GIVE_UP_MS = 180_000

/**
 * Kills, freezes and restarts the nodes of a cluster, and the two instances, while they are searched,
 * written to and imported into; then looks for everything that was acknowledged.
 */
export async function clusterDrill(given: ClusterDrill): Promise<ClusterFigures> {
  const { prefix, say } = given
  const cluster = await startCluster(NODES)
  const place = { node: cluster.addresses, prefix, replicas: 1 }
  const folder = await mkdtemp(join(tmpdir(), 'aisle-cluster-files-'))
  const leaseMs = 3_000
  const front = await openFront({ ...place, leaseMs }, folder)
  const organization = await newOrganization(front)
  const key = await organization.key('administrator')
  const { id: owner } = organization
  const call = patient(organization.call)
  const { publicUrl } = front.services
  let born = 0
  const add = async () => {
    const name = `instance-${++born}`
    const settings = { ...place, name, folder, publicUrl, skewMs: 0, leaseMs, concurrency: 1 }
    const instance = await startInstance(settings)
    return { instance, call: caller(instance, { key, organization: owner }) }
  }
  let alive: { instance: Instance; call: Call }[] = []
  const phases: Record<string, Record<string, CallFigures>> = {}
  const imports: string[] = []
  try {
    await expectOk(call('POST /api/Catalog', { body: { name: CATALOG } }))
    alive = [await add(), await add()]
    const seeded = await startedImport(call, 'p', given.rows)
    const end = await importEnd(call, seeded, given.rows)
    if (end !== WHOLE) throw new Error(end)
    await cluster.green()
    const load = startLoad(() => alive.map((one) => one.call), CATALOG)
    const phase = async (name: string, work: () => Promise<unknown>) => {
      say(name)
      load.phase()
      const task = await startedImport(call, `i${born}${Object.keys(phases).length}`, given.rows)
      await work()
      imports.push(`${name}: ${await importEnd(call, task, given.rows)}`)
      phases[name] = load.phase()
      say(JSON.stringify(phases[name]))
    }
    const away = () => sleep(given.awaySeconds * 1_000)
    await phase('quiet', away)
    await phase('the leading node is killed', async () => {
      const node = await cluster.master()
      await node.kill()
      await away()
      await back(cluster, node)
    })
    await phase('a node is frozen', async () => {
      const master = await cluster.master()
      const node = cluster.nodes.find((one) => one !== master)!
      await node.freeze()
      await away()
      await node.thaw()
      await cluster.green()
    })
    await phase('the nodes are restarted, one after another', async () => {
      for (const node of cluster.nodes) {
        await node.stop()
        await back(cluster, node)
      }
    })
    await phase('the instances are replaced, one after another', async () => {
      for (const old of [...alive]) {
        const next = await add()
        alive = [...alive.filter((one) => one !== old), next]
        // As a balancer that no longer sends it anything, and lets it end what it has.
        await sleep(5_000)
        await old.instance.end()
      }
    })
    await load.stop()
    const { acknowledged } = load
    const lost = await missing(call, acknowledged.products, acknowledged.items)
    const counted = await chargedSearches(call)
    const least = acknowledged.searches
    const charged = { least, counted, most: least + acknowledged.unsure }
    return { phases, lost, imports, charged }
  } finally {
    await Promise.all(alive.map(({ instance }) => instance.end()))
    await front.stop().catch(() => undefined)
    await cluster.close()
  }
}

/** Whoever sets the drill up, and looks at its end, asks again where it is told to. */
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

const startedImport = (call: Call, prefix: string, rows: number) =>
  startImport(call, csv(prefix, rows), { targetCatalog: CATALOG })

/** How an import ended; asked again where no answer came. */
async function importEnd(call: Call, id: string, rows: number): Promise<string> {
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    const { status, body } = await call('GET /api/tasks?includeDismissed=true')
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

async function missing(
  call: Call,
  products: ReadonlySet<string>,
  items: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const lost: string[] = []
  for (const id of products) {
    const { status } = await call(`GET /api/Catalog/${CATALOG}/products/${id}`)
    if (status !== 200) lost.push(`${id}: ${status}`)
  }
  for (const [name, ids] of items) {
    const { body } = await call(`GET /api/workspaces/${name}`)
    const there = new Set(body.items?.map((item: { productId: string }) => item.productId))
    for (const id of ids) if (!there.has(id)) lost.push(`${name} ${id}`)
  }
  return lost
}

/** Searches that the organization was charged for, once all instances have written them. */
async function chargedSearches(call: Call): Promise<number> {
  await sleep(5_000)
  const { body } = await expectOk(call('GET /api/organizations/current/usage'))
  const users: { searchCount: number }[] = Object.values(body.users)
  return users.reduce((sum, { searchCount }) => sum + searchCount, 0)
}
