import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { processStart } from './process-identity.ts'
import { readOptionalFile } from './read-optional-file.ts'

/**
 * Takes a lock file for this process; remove the file to release it. Returns the number of the
 * living process that holds it, or undefined when it was taken. Throws StartupFailure when the
 * file cannot be read.
 */
export async function takeLock(lock: string): Promise<number | undefined> {
  // A process is identified by its id and start time, so that a dead one does not hold the lock.
  const own = JSON.stringify({ pid: process.pid, started: await processStart(process.pid) })
  while (!(await create(lock, own))) {
    const seen = await readOptionalFile(lock)
    if (seen === undefined) continue
    const holder = await livingHolder(seen)
    if (holder !== undefined) return holder
    // Moved, not removed: another process may have claimed it in between.
    const aside = `${lock}.${process.pid}`
    await rename(lock, aside).catch(() => undefined)
    const moved = await readFile(aside, 'utf8').catch(() => seen)
    if (moved === seen) await rm(aside, { force: true })
    else await rename(aside, lock)
  }
  return undefined
}

async function create(lock: string, text: string): Promise<boolean> {
  return writeFile(lock, text, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

async function livingHolder(text: string): Promise<number | undefined> {
  try {
    const { pid, started } = JSON.parse(text)
    if (!Number.isInteger(pid) || pid < 1) return undefined
    return (await processStart(pid)) === started ? pid : undefined
  } catch {
    // Half-written by a process that died.
    return undefined
  }
}
