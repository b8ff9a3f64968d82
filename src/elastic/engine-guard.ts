import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram, type Machine } from './engine-machine.ts'

const run = promisify(execFile)

/**
 * A command line that is killed together with this process, also when that gets SIGKILL; the
 * command itself where the system cannot do that. The signal is bound to the thread that spawns,
 * and a change of user clears it: so spawn from the main thread, as the user it shall run as.
 */
export async function diesWithUs(machine: Machine, command: readonly string[]) {
  const setpriv = process.platform === 'linux' ? await findProgram(machine, 'setpriv') : undefined
  if (setpriv === undefined || !(await canBind(setpriv))) return command
  // When we died before the signal was set, the parent is another one by now.
  const check = `[ "$PPID" = ${process.pid} ] && exec "$0" "$@"`
  return [setpriv, '--pdeathsig', 'KILL', 'sh', '-c', check, ...command]
}

/**
 * A process that runs a shell script as soon as this one is gone, however it ends; kill it to call
 * that off. `values` are the script's $1, $2 …
 */
export function afterUs(script: string, ...values: string[]): ChildProcess {
  // Reads a pipe that only we hold open: it ends when we do.
  const watch = spawn('sh', ['-c', `cat > /dev/null; ${script}`, 'sh', ...values], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.on('error', () => undefined)
  watch.unref()
  return watch
}

async function canBind(setpriv: string): Promise<boolean> {
  return run(setpriv, ['--pdeathsig', 'KILL', 'true']).then(
    () => true,
    () => false,
  )
}
