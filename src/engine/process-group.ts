import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** A program that leads a process group of its own. */
export interface ProcessGroup {
  readonly child: ChildProcess
  /** Resolves when the leader has ended, and with it the group. */
  readonly ended: Promise<void>
}

/**
 * Starts a program in a process group of its own, which a terminal's Ctrl-C does not reach. The
 * group is killed when its leader has ended, or when this process is gone, also by SIGKILL.
 * Rejects when the program cannot be started.
 */
export async function spawnGroup(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ProcessGroup> {
  const child = spawn(program, args, { ...options, detached: true })
  const exited = new Promise<void>((done) => child.on('exit', () => done()))
  await new Promise<void>((done, fail) => {
    child.on('spawn', done)
    child.on('error', fail)
  })
  const callOff = runWhenGone('kill -s KILL -- "-$1"', String(child.pid))
  const ended = exited.then(() => {
    kill(-child.pid!)
    callOff()
  })
  return { child, ended }
}

/**
 * Runs a shell script as soon as this process is gone, however it ends. `values` are the script's
 * $1, $2 … Returns a function that cancels it.
 */
export function runWhenGone(script: string, ...values: string[]): () => void {
  // Reads a pipe that only this process holds open.
  const watch = spawn('sh', ['-c', `cat > /dev/null; ${script}`, 'sh', ...values], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.on('error', () => undefined)
  watch.unref()
  return () => {
    if (watch.pid !== undefined) kill(-watch.pid)
  }
}

/** Sends SIGKILL to a process, or to the group -`pid`; one that is gone already is fine. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
