import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupFailure } from '../errors.ts'
import type { EngineFolders } from './folders.ts'
import type { Jdk, Machine } from './machine.ts'
import { endOrphanedEngine, launcherPid, serverPid } from './orphaned-process.ts'
import { kill, type ProcessGroup, spawnGroup } from './process-group.ts'
import { endedSentence, startFailure } from './start-failure.ts'

const READY_MS = 180_000
const STOP_MS = 10_000
const POLL_MS = 100

export interface EngineCommand {
  readonly machine: Machine
  readonly home: string
  readonly jdk: Jdk
  readonly folders: EngineFolders
  readonly dataDir: string
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal | undefined
}

export interface RunningEngine {
  readonly node: string
  /** Resolves with a sentence when the engine ends other than by `stop`. */
  readonly exited: Promise<string>
  stop(): Promise<void>
}

/** Elasticsearch writes its address into this file. */
const portsFile = (logs: string): string => join(logs, 'http.ports')

/** Starts the engine and resolves when it answers. Throws StartupFailure with what to do. */
export async function startEngine(engine: EngineCommand): Promise<RunningEngine> {
  const { folders, dataDir } = engine
  const { logs } = folders
  const output = join(dataDir, 'elasticsearch.out')
  await rm(portsFile(logs), { force: true })
  const { child, ended } = await launch(engine, output)
  const gone = ended.then(() => endOrphanedEngine(dataDir, folders.root))
  let stopping = false
  try {
    await writeFile(launcherPid(dataDir), `${child.pid}\n`)
    const node = await ready(child, engine, output)
    const exited = gone.then(async () => {
      if (stopping) return new Promise<string>(() => undefined)
      return endedSentence(await readFile(output, 'utf8').catch(() => ''), logs)
    })
    const stop = async () => {
      stopping = true
      // The launcher stops the server, which takes about a second.
      child.kill('SIGTERM')
      const late = setTimeout(() => kill(-child.pid!), STOP_MS)
      await gone
      clearTimeout(late)
    }
    return { node, exited, stop }
  } catch (error) {
    kill(-child.pid!)
    await gone
    throw error
  }
}

/** Starts the launcher, which starts the server in the same process group. */
async function launch(engine: EngineCommand, printed: string): Promise<ProcessGroup> {
  const { machine, home, jdk, folders } = engine
  const output = openSync(printed, 'w')
  try {
    return await spawnGroup(join(home, 'bin/elasticsearch'), ['-p', serverPid(folders.root)], {
      cwd: folders.root,
      stdio: ['ignore', output, output],
      env: {
        PATH: machine.env.PATH,
        HOME: folders.root,
        LANG: machine.env.LANG,
        ES_JAVA_HOME: jdk.home,
        ES_PATH_CONF: folders.config,
        ES_TMPDIR: folders.temporary,
        // Puts the folder into the launcher's command line, as it is in the server's. The launcher
        // does little: optimizing it would take longer than it runs.
        CLI_JAVA_OPTS: `-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=${folders.temporary}`,
      },
      ...(folders.owner === undefined ? {} : { uid: folders.owner, gid: folders.owner }),
    })
  } catch (cause) {
    throw new StartupFailure(spawnFailure(cause as Error, folders.owner), { cause })
  } finally {
    closeSync(output)
  }
}

function spawnFailure({ message }: Error, owner: number | undefined): string {
  return owner === undefined
    ? `Elasticsearch cannot be started (${message}): check the resource limits of this user.`
    : `Elasticsearch does not run as root and cannot be started as user ${owner} (${message}): start Aisle as a user other than root.`
}

/** The address of the engine once its indices can be read. */
async function ready(
  child: ChildProcess,
  { folders: { logs }, signal }: EngineCommand,
  output: string,
): Promise<string> {
  const deadline = Date.now() + READY_MS
  let node: string | undefined
  while (Date.now() < deadline) {
    signal?.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null) {
      throw startFailure(await readFile(output, 'utf8'), logs)
    }
    node ??= await listening(portsFile(logs))
    if (node !== undefined && (await answers(node, signal))) return node
    await pause(POLL_MS)
  }
  throw new StartupFailure(
    `Elasticsearch did not respond within ${READY_MS / 1000} s: see ${logs}, then start again.`,
  )
}

async function listening(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const port = /^127\.0\.0\.1:(\d+)$/m.exec(text)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}

async function answers(node: string, signal: AbortSignal | undefined): Promise<boolean> {
  const path = '/_cluster/health?wait_for_status=yellow&timeout=30s'
  return fetch(node + path, { signal: signal ?? null }).then(
    // 408 means that an index cannot be read. The service starts and reports it.
    ({ status }) => status === 200 || status === 408,
    () => false,
  )
}
