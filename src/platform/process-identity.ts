import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The start time of a process, in a form that can only be compared; undefined when there is no such
 * process. Together with the process id it is unique, since ids are reused.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined)
    return listed?.stdout.trim() || undefined
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    // The program's name, in parentheses, may contain spaces; the start time is the 20th field
    // after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? undefined : `${boot.trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}
