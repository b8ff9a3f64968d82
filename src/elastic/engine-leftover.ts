import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const GONE_MS = 10_000

/** Process ids of an engine's launcher and server, in `dataDir` so that the next start finds them. */
export function pidFile(dataDir: string): string {
  return join(dataDir, 'elasticsearch.pid')
}

export async function writePids(path: string, pids: readonly number[]): Promise<void> {
  await writeFile(path, `${pids.join('\n')}\n`)
}

/**
 * Ends the engine that the pid file names. A process is ended only when its command line has
 * `mark`, the folder of this engine: a number that went to another program is left alone.
 */
export async function endLeftover(path: string, mark: string): Promise<number[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const pids = text
    .split('\n')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1)
  const ended = []
  for (const pid of pids) {
    if (!(await isEngine(pid, mark))) continue
    kill(pid)
    ended.push(pid)
    const deadline = Date.now() + GONE_MS
    while ((await isEngine(pid, mark)) && Date.now() < deadline) await pause(50)
  }
  await rm(path, { force: true })
  return ended
}

/** Ends a process at once; one that is gone already is fine. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function isEngine(pid: number, mark: string): Promise<boolean> {
  return (await commandLine(pid)).includes(mark)
}

/** Empty for a process that does not exist, or that nobody has waited for yet. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  }
  const listed = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return listed?.stdout ?? ''
}
