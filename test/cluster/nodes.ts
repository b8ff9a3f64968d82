import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { buildEngine } from '../../src/engine/build.ts'
import { writeConfig } from '../../src/engine/config.ts'
import { cacheFolder, engineFolders } from '../../src/engine/folders.ts'
import { findJdks, findMaven, thisMachine, usableJdk } from '../../src/engine/machine.ts'
import { endOrphanedEngine, serverPid } from '../../src/engine/orphaned-process.ts'
import { type RunningEngine, startEngine } from '../../src/engine/process.ts'
import { ENGINE_SOURCE } from '../../src/engine/version.ts'
import { fastFolder } from '../support/fast-folder.ts'

/** One Elasticsearch node of a cluster. */
export interface ClusterNode {
  readonly name: string
  readonly address: string
  /** Resolves when it answers as part of the cluster. */
  start(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  /** Value of ELASTICSEARCH_URL. */
  readonly addresses: string
  /** Waits until every copy of every index is assigned. */
  green(): Promise<void>
  /** The elected master node. */
  master(): Promise<ClusterNode>
  /** Restarts a node as docs/operations.md advises: a master is excluded from voting first. */
  restart(node: ClusterNode): Promise<void>
  close(): Promise<void>
}

const HEAP = '512m'
const GREEN_MS = 180_000
const ASK_MS = 10_000
/** Nodes that are named here cannot be master. */
const EXCLUSIONS = '_cluster/voting_config_exclusions'

/** As docs/operations.md advises, an unresponsive node is removed after 4 seconds instead of 30. */
const FAULT_DETECTION = {
  'cluster.fault_detection.follower_check.interval': '500ms',
  'cluster.fault_detection.follower_check.timeout': '1s',
  'cluster.fault_detection.leader_check.interval': '500ms',
  'cluster.fault_detection.leader_check.timeout': '1s',
}

/**
 * Each restart waits until some thirty small shards are recovered; the default is two at a time.
 */
const RECOVERY = { 'cluster.routing.allocation.node_concurrent_recoveries': 4 }

/** Starts a cluster of the embedded engine's build on this machine, with its data in memory. */
export async function startCluster(count: number): Promise<Cluster> {
  const parent = await mkdtemp(join(fastFolder(), 'aisle-cluster-'))
  await chmod(parent, 0o755)
  const names = Array.from({ length: count }, (_, n) => `node-${n + 1}`)
  const ports = await freePorts(2 * count)
  const seeds = ports.slice(count).map((port) => `127.0.0.1:${port}`)
  const settings = { 'discovery.seed_hosts': seeds, 'cluster.initial_master_nodes': names }
  const nodes = await Promise.all(
    names.map((name, n) => {
      const own = { 'node.name': name, 'transport.port': ports[count + n]!, ...settings }
      return clusterNode(join(parent, name), ports[n]!, own)
    }),
  )
  await Promise.all(nodes.map((node) => node.start()))
  const ask = async <T>(path: string, method = 'GET'): Promise<T> => {
    for (const { address } of nodes) {
      const signal = AbortSignal.timeout(ASK_MS)
      const answer = await fetch(`${address}/${path}`, { method, signal }).catch(() => undefined)
      // Status 408 comes with the current health.
      if (answer?.ok || answer?.status === 408) return JSON.parse((await answer.text()) || 'null')
    }
    throw new Error(`no node answers ${path}`)
  }
  const green = async () => {
    const path = `_cluster/health?wait_for_status=green&wait_for_nodes=${count}&timeout=5s`
    const until = performance.now() + GREEN_MS
    for (;;) {
      const health = await ask<{ timed_out: boolean }>(path).catch(() => undefined)
      if (health?.timed_out === false) return
      if (performance.now() > until) throw new Error(JSON.stringify(health))
    }
  }
  return {
    nodes,
    addresses: nodes.map(({ address }) => address).join(','),
    green,
    async restart(node) {
      await ask(`${EXCLUSIONS}?node_names=${node.name}`, 'POST')
      // Another node has become master.
      await green()
      await node.stop()
      await node.start()
      await ask(`${EXCLUSIONS}?wait_for_removal=false`, 'DELETE')
      await green()
    },
    async master() {
      const [leading] = await ask<{ node: string }[]>('_cat/master?format=json')
      return nodes.find(({ name }) => name === leading!.node)!
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill()))
      await rm(parent, { recursive: true, force: true })
    },
  }
}

async function clusterNode(
  dataDir: string,
  port: number,
  settings: { readonly 'node.name': string },
): Promise<ClusterNode> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const machine = thisMachine()
  const jdk = usableJdk(await findJdks(machine))!
  const cache = await cacheFolder(machine, dataDir)
  const maven = await findMaven(machine)
  const home = await buildEngine({
    source: ENGINE_SOURCE,
    cache,
    jdk,
    maven,
    machine,
    say: () => undefined,
  })
  const folders = await engineFolders(machine, dataDir)
  const own = { ...settings, ...FAULT_DETECTION, ...RECOVERY }
  let running: RunningEngine | undefined
  const signal = async (kind: NodeJS.Signals) => {
    process.kill(Number(await readFile(serverPid(folders.root), 'utf8')), kind)
  }
  const killed = async () => {
    if (!running) return
    running = undefined
    await signal('SIGKILL').catch(() => undefined)
    await endOrphanedEngine(dataDir, folders.root)
  }
  return {
    name: settings['node.name'],
    address: `http://127.0.0.1:${port}`,
    async start() {
      await writeConfig(home, folders, port)
      await joinCluster(folders.config, own)
      running = await startEngine({ machine, home, jdk, folders, dataDir })
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    kill: killed,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/** Turns an engine's settings for a single machine into those of a cluster node. */
async function joinCluster(config: string, own: object): Promise<void> {
  const file = join(config, 'elasticsearch.yml')
  const alone = new RegExp(`^(discovery\\.type|${Object.keys(own).join('|')}):`)
  const kept = (await readFile(file, 'utf8')).split('\n').filter((line) => !alone.test(line))
  await writeFile(file, kept.join('\n'))
  for (const [name, value] of Object.entries(own)) {
    await appendFile(file, `${name}: ${JSON.stringify(value)}\n`)
  }
  const options = join(config, 'jvm.options')
  const heap = (await readFile(options, 'utf8')).replace(/^-(Xm[sx]).*$/gm, `-$1${HEAP}`)
  await writeFile(options, heap)
}

/** Ports are held open together, so that no two are the same. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
