import { readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ROOM = 4 * 2 ** 30

/**
 * The folder for temporary data of a run: in memory if 4 GiB of it are free, since each of some
 * 15,000 refreshes creates files; else the system's temporary folder.
 */
export function fastFolder(): string {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm tmpfs (\S+)/m)
    const { bavail, bsize } = statfsSync(MEMORY)
    const roomy = Math.min(bavail * bsize, freemem()) >= ROOM
    // The engine loads libraries from its folder.
    if (mount && !mount[1]!.split(',').includes('noexec') && roomy) return MEMORY
  } catch {
    // Not Linux, or no such folder.
  }
  return tmpdir()
}

/** Removes what killed runs left in `folder`. Names are `<prefix><process id>-…`. */
export function removeLeftovers(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const [id] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    if (id && /^\d+$/.test(id) && !isRunning(Number(id))) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
