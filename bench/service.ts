import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import packageFile from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
/** Started as `npm start` does: the same file with the same settings and options of Node. */
const [settings = '', START = ''] = packageFile.scripts.start
  .replace(/^exec env /, '')
  .split(/ ?node /)
const START_MS = 120_000
const RETRY_MS = 5

export const OPERATOR_KEY = 'benchmark-operator-key-0123456789abcdef'

export interface ServiceOptions {
  /** Address of Elasticsearch, or of a recorder in front of it. */
  readonly node: string
  readonly prefix: string
  readonly dataDir: string
  /** Whether the service caches answers to searches, which is its default; off if absent. */
  readonly keepsAnswers?: boolean
  /** Options of Node, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[]
}

/** The service in its own process, as `npm start` runs it. */
export interface RunningService {
  readonly origin: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

/** Stops the services that are still running, such as after a failure. */
export const stopServices = async (): Promise<void> => {
  await Promise.all([...running].map(stopChild))
}

async function stopChild(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await ended
}

/**
 * Starts the service and waits until it logs that it listens, or until `ready` holds. Throws an
 * Error with its last lines.
 */
export async function startService(
  { node, prefix, dataDir, keepsAnswers = false, nodeOptions = [] }: ServiceOptions,
  ready?: (origin: string) => Promise<boolean>,
): Promise<RunningService> {
  const port = await freePort()
  const env = {
    ...parseEnv(settings.replaceAll(' ', '\n')),
    ELASTICSEARCH_URL: node,
    INDEX_PREFIX: prefix,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: OPERATOR_KEY,
    DEMO: 'off',
    MCP: 'on',
    // A key may send 1,000 requests a second, which the fastest machines exceed.
    RATE_BY_KEY: '0',
    RATE_BY_ADDRESS: '0',
    ...(keepsAnswers ? {} : { SEARCH_CACHE_MIB: '0' }),
  }
  const origin = `http://127.0.0.1:${port}`
  const args = [...nodeOptions, ...START.split(' ')]
  const started = await startProcess({ args, cwd: ROOT, env }, async (said) =>
    ready ? ready(origin) : said.includes('listening at'),
  )
  return { origin, ...started }
}

interface NodeProcess {
  /** Arguments of Node. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds that the start may take. */
  readonly startMs?: number
}

/**
 * Starts Node and waits until `isReady` accepts its output. Throws an Error with its last lines.
 */
export async function startProcess(
  { args, cwd, env, startMs = START_MS }: NodeProcess,
  isReady: (said: string) => Promise<boolean>,
): Promise<Omit<RunningService, 'origin'>> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-4_000)
    })
  }
  running.add(child)
  child.once('exit', () => running.delete(child))
  const stop = () => stopChild(child)
  const deadline = performance.now() + startMs
  while (!(await isReady(said).catch(() => false))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop()
      throw new Error(`The service did not start:\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
  return { pid: child.pid!, stop }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
