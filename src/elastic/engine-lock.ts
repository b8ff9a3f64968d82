import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const BEAT_MS = 1_000
const DEAD_MS = 10_000

/**
 * Runs `work` while no other process holds the lock file. A holder touches it every second, so
 * one that died is found out after ten. `waiting` is called once when somebody else holds it.
 */
export async function withLock<T>(
  path: string,
  { work, waiting }: { work: () => Promise<T>; waiting: () => void },
): Promise<T> {
  let told = false
  while (!(await take(path))) {
    if (!told) waiting()
    told = true
    await pause(BEAT_MS / 2)
  }
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const held = await stat(path).catch(() => undefined)
  if (held !== undefined && Date.now() - held.mtimeMs > DEAD_MS) await rm(path, { force: true })
  return false
}
