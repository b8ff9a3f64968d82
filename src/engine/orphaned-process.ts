import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { kill } from './process-group.ts'

const run = promisify(execFile)
const GONE_MS = 10_000

/** The file with the process id of the launcher, which is also that of its process group. */
export const launcherPid = (dataDir: string): string => join(dataDir, 'elasticsearch.pid')

/** The file with the process id of the server, which the server writes itself. */
export const serverPid = (root: string): string => join(root, 'server.pid')

/**
 * Kills the engine that the pid files name and returns the ids. Only a process whose command line
 * contains `root`, the engine's folder, is killed: its id may belong to another program by now.
 */
export async function endOrphanedEngine(dataDir: string, root: string): Promise<number[]> {
  const ended = []
  for (const file of [launcherPid(dataDir), serverPid(root)]) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''))
    if (Number.isInteger(pid) && pid > 1 && (await isEngine(pid, root))) {
      kill(pid)
      ended.push(pid)
      const deadline = Date.now() + GONE_MS
      while ((await isEngine(pid, root)) && Date.now() < deadline) await pause(50)
    }
    await rm(file, { force: true })
  }
  return ended
}

async function isEngine(pid: number, root: string): Promise<boolean> {
  return (await commandLine(pid)).includes(`${root}/`)
}

/** Empty for a process that does not exist, or is a zombie. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  }
  const listed = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return listed?.stdout ?? ''
}
