import { createHash } from 'node:crypto'
import {
  access,
  chmod,
  constants,
  lchown,
  lstat,
  mkdir,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupFailure } from '../errors.ts'
import type { Machine } from './machine.ts'

/** The engine's user id, since Elasticsearch refuses to run as root. No distribution assigns it. */
const ENGINE_UID = 60_999

/** The folders of an engine, and its user (undefined: that of this process). */
export interface EngineFolders {
  readonly root: string
  readonly config: string
  readonly data: string
  readonly logs: string
  readonly temporary: string
  readonly snapshots: string
  readonly owner: number | undefined
}

/** Where built engines are kept: once per machine for root, once per user otherwise. */
export async function cacheFolder(machine: Machine, dataDir: string): Promise<string> {
  const { HOME: home, XDG_CACHE_HOME: cache } = machine.env
  const own = [cache && join(cache, 'aisle'), home && join(home, '.cache', 'aisle')]
  const wanted = [
    ...(machine.uid === 0 ? ['/var/cache/aisle'] : own.filter((folder) => !!folder)),
    join(dataDir, 'engine'),
  ] as string[]
  for (const folder of wanted) {
    if (await canWrite(folder, machine.uid === 0)) return folder
  }
  throw new StartupFailure(
    `No folder for Elasticsearch is writable (tried ${wanted.join(', ')}): make one of them writable.`,
  )
}

/**
 * Creates the folders of the engine of `dataDir`, owned by its user. For root, they are under
 * /var/lib/aisle if another user could not reach them below `dataDir`.
 */
export async function engineFolders(machine: Machine, dataDir: string): Promise<EngineFolders> {
  const owner = machine.uid === 0 ? ENGINE_UID : undefined
  const reachable = owner === undefined || (await othersReach(dataDir))
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const root = reachable ? join(dataDir, 'elasticsearch') : join('/var/lib/aisle', hash)
  const inside = (name: string) => join(root, name)
  const folders = {
    root,
    config: inside('config'),
    data: inside('data'),
    logs: inside('logs'),
    temporary: inside('tmp'),
    snapshots: inside('snapshots'),
    owner,
  }
  await mkdir(dirname(root), { recursive: true })
  if (!reachable) await chmod(dirname(root), 0o711)
  // Every start of Java leaves files there.
  await rm(folders.temporary, { recursive: true, force: true })
  for (const path of [root, ...Object.values(folders).filter((p) => typeof p === 'string')]) {
    await mkdir(path, { recursive: true, mode: 0o700 })
  }
  if (owner !== undefined) await give(root, owner)
  return folders
}

/** Replaces a file, never through a link: the engine's user may put links into its folders. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, text, { flag: 'wx', mode: 0o644 })
}

/** Changes the owner of a folder and its contents, if it differs. */
async function give(path: string, owner: number): Promise<void> {
  const found = await lstat(path)
  if (found.uid !== owner) await lchown(path, owner, owner)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await give(join(path, name), owner)
}

/** Whether other users can traverse every folder of a path. */
async function othersReach(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined)
    if (found !== undefined && (found.mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

async function canWrite(folder: string, shared: boolean): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    if (shared) await chmod(folder, 0o755)
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
