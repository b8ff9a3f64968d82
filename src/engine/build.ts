import { mkdir, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartupFailure } from '../errors.ts'
import { takeLock } from '../platform/process-lock.ts'
import { isAccessible, type Jdk, type Machine } from './machine.ts'
import { spawnGroup } from './process-group.ts'
import { ENGINE_VERSION, engineName } from './version.ts'

const MIB = 1024 * 1024
/** Bytes of the unpacked engine, twice the zip that Maven keeps, and some room. */
const BUILD_BYTES = 600 * MIB
const TELL_MS = 3_000
const LOCK_MS = 500

export interface Build {
  readonly source: string
  readonly cache: string
  readonly jdk: Jdk
  /** Required only when the engine must be built. */
  readonly maven: string | undefined
  readonly machine: Machine
  readonly say: (line: string) => void
}

/** Folder of the engine built from `source`, or undefined when it is not built yet. */
export async function builtEngine(source: string, cache: string): Promise<string | undefined> {
  const folder = join(cache, await engineName(source))
  return (await isAccessible(folder)) ? folder : undefined
}

/** Folder of the engine, built first when needed. Throws StartupFailure. */
export async function buildEngine(build: Build): Promise<string> {
  const { source, cache, say } = build
  await mkdir(cache, { recursive: true })
  const ready = await builtEngine(source, cache)
  if (ready !== undefined) return ready
  const folder = join(cache, await engineName(source))
  const lock = `${folder}.lock`
  let isAnnounced = false
  while ((await takeLock(lock)) !== undefined) {
    if (!isAnnounced) say('waiting for another process to download Elasticsearch')
    isAnnounced = true
    await pause(LOCK_MS)
  }
  try {
    return (await builtEngine(source, cache)) ?? (await fetchEngine(build, folder))
  } finally {
    await rm(lock, { force: true })
  }
}

async function fetchEngine(build: Build, folder: string): Promise<string> {
  const { maven, cache } = build
  if (maven === undefined) {
    throw new StartupFailure(
      'Maven (mvn) is required once to download Elasticsearch: install Maven.',
    )
  }
  const { bavail, bsize } = await statfs(cache)
  if (bavail * bsize < BUILD_BYTES) {
    throw new StartupFailure(
      `Downloading Elasticsearch needs ${BUILD_BYTES / MIB} MiB in ${cache}, but only ${Math.floor((bavail * bsize) / MIB)} MiB are free: free up space on that disk.`,
    )
  }
  await removeUnfinished(folder, cache)
  const work = await mkdtemp(`${folder}.tmp-`)
  build.say(`downloading Elasticsearch ${ENGINE_VERSION} with Maven to ${cache} (132 MB, once)`)
  try {
    await runMaven(build, maven, work)
    await rename(join(work, 'engine', `elasticsearch-${ENGINE_VERSION}`), folder)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  build.say(`Elasticsearch ${ENGINE_VERSION} is ready in ${folder}`)
  return folder
}

/** Removes the remains of a killed build; the lock shows that no other one runs. */
async function removeUnfinished(folder: string, cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    if (path.startsWith(`${folder}.tmp-`)) await rm(path, { recursive: true, force: true })
  }
}

async function runMaven({ source, jdk, machine, say }: Build, maven: string, work: string) {
  const args = [
    '--file',
    join(source, 'pom.xml'),
    `-Dengine.build=${join(work, 'target')}`,
    `-Dengine.home=${join(work, 'engine')}`,
    'package',
  ]
  // Another user runs the engine unpacked here, so its files must be readable despite our umask.
  const { child } = await spawnGroup('sh', ['-c', 'umask 022 && exec "$0" "$@"', maven, ...args], {
    env: { ...machine.env, JAVA_HOME: jdk.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  let news = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split(/[\r\n]+/)) {
        news = downloadState(line) ?? news
        if (line.includes('ERROR') && errors.length < 20) errors.push(line)
      }
    })
  }
  const progress = setInterval(() => {
    if (news !== '') say(`downloading Elasticsearch: ${news}`)
    news = ''
  }, TELL_MS)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  clearInterval(progress)
  if (code !== 0) throw new StartupFailure(mavenFailure(errors))
}

/** The progress of the download, from a line of Maven. The engine is the only large file. */
export function downloadState(line: string): string | undefined {
  const engine = /(\d[\d.]{0,9})\/(1\d\d) MB/.exec(line)
  if (engine) return `${engine[1]} of ${engine[2]} MB`
  const other = /Downloading from \S+ \S*\/(\S+)/.exec(line)
  return other ? `Maven downloads ${other[1]}` : undefined
}

/** Sums up Maven's many lines in one sentence. */
export function mavenFailure(lines: readonly string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Maven colours its output with escapes.
  const uncoloured = lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, ''))
  const plain = uncoloured.map((line) => line.replace(/^\[ERROR\]/, '').trim())
  const first = plain.find((line) => line.length > 0)?.slice(0, 400) ?? 'no reason given'
  const advice = /No space left/.test(first)
    ? 'free up space on that disk'
    : 'check the network and the Maven settings, then start again'
  return `Maven could not download and build Elasticsearch ${ENGINE_VERSION} (${first.replace(/\.$/, '')}): ${advice}.`
}
