import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupFailure } from '../errors.ts'
import { buildEngine, builtEngine } from './build.ts'
import { writeConfig } from './config.ts'
import { cacheFolder, type EngineFolders, engineFolders, replaceFile } from './folders.ts'
import { findJdks, findMaven, type Machine, MINIMUM_JAVA, usableJdk } from './machine.ts'
import { endOrphanedEngine } from './orphaned-process.ts'
import { type RunningEngine, startEngine } from './process.ts'
import { keepRunning, type RestartTarget } from './restart.ts'
import { compareVersions, ENGINE_SOURCE, ENGINE_VERSION } from './version.ts'

export interface EmbeddedOptions {
  readonly machine: Machine
  readonly dataDir: string
  readonly say: (line: string) => void
}

/** Why no engine can be embedded on this machine, or undefined when one can. */
export async function embeddedObstacle({
  machine,
  dataDir,
}: EmbeddedOptions): Promise<string | undefined> {
  const jdks = await findJdks(machine)
  if (jdks.length === 0) return `no JDK ${MINIMUM_JAVA} or newer found`
  if (usableJdk(jdks) === undefined) {
    const [found] = jdks
    return `the JDK in ${found!.home} is version ${found!.major}, but ${MINIMUM_JAVA} or newer is required`
  }
  if ((await findMaven(machine)) !== undefined) return undefined
  const built = await builtEngine(ENGINE_SOURCE, await cacheFolder(machine, dataDir))
  return built === undefined ? 'Maven (mvn) not found on PATH' : undefined
}

/** Builds the engine when needed and keeps it running on its own data. Throws StartupFailure. */
export const embedElasticsearch = (embedding: EmbeddedOptions): Promise<RunningEngine> =>
  keepRunning((again) => startEmbedded(embedding, again), embedding)

async function startEmbedded(
  { machine, dataDir, say }: EmbeddedOptions,
  again: RestartTarget | undefined,
): Promise<RunningEngine> {
  const jdk = usableJdk(await findJdks(machine))
  if (jdk === undefined) throw new StartupFailure(`Install JDK ${MINIMUM_JAVA} or newer.`)
  const home = await buildEngine({
    source: ENGINE_SOURCE,
    cache: await cacheFolder(machine, dataDir),
    jdk,
    maven: await findMaven(machine),
    machine,
    say,
  })
  const folders = await prepareFolders({ machine, dataDir }, home, again)
  const [leftover] = await endOrphanedEngine(dataDir, folders.root)
  if (leftover !== undefined)
    say(`stopped the Elasticsearch process that an earlier run left behind (pid ${leftover})`)
  say(`starting Elasticsearch ${ENGINE_VERSION} on JDK ${jdk.major}, data in ${folders.root}`)
  const started = performance.now()
  const engine = await startEngine({ machine, home, jdk, folders, dataDir, signal: again?.signal })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  say(`Elasticsearch is ready at ${engine.node} after ${seconds} s`)
  return engine
}

async function prepareFolders(
  { machine, dataDir }: Pick<EmbeddedOptions, 'machine' | 'dataDir'>,
  home: string,
  again: RestartTarget | undefined,
) {
  try {
    const folders = await engineFolders(machine, dataDir)
    if (again) await checkDataIsThere(folders)
    await checkDataVersion(folders)
    await writeConfig(home, folders, again?.port)
    return folders
  } catch (cause) {
    const { code, path } = cause as NodeJS.ErrnoException
    if (code === undefined) throw cause
    const reason = code === 'ENOSPC' ? 'the disk is full' : `${path}: ${code}`
    throw new StartupFailure(
      `The Elasticsearch folder in DATA_DIR ${dataDir} cannot be prepared (${reason}): make it writable for this user and free up space, or set another DATA_DIR.`,
      { cause },
    )
  }
}

/**
 * Throws when the data is gone: the engine would create another, empty cluster and accept writes.
 */
async function checkDataIsThere(folders: EngineFolders): Promise<void> {
  await access(join(folders.data, '_state')).catch((cause) => {
    throw new StartupFailure(
      `The Elasticsearch data in ${folders.data} is missing: put it back, or restore a snapshot.`,
      { cause },
    )
  })
}

/** Elasticsearch reads data of older versions, but never of newer ones. */
async function checkDataVersion(folders: EngineFolders): Promise<void> {
  const path = join(folders.root, 'version')
  const written = await readFile(path, 'utf8').catch(() => ENGINE_VERSION)
  if (compareVersions(written, ENGINE_VERSION) > 0) {
    throw new StartupFailure(
      `The data in ${folders.root} was written by Elasticsearch ${written.trim()}, but this version of Aisle has ${ENGINE_VERSION}: start the newer version, or set another DATA_DIR.`,
    )
  }
  await replaceFile(path, ENGINE_VERSION)
}
