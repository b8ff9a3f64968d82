import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

export interface EngineRun {
  readonly child: ChildProcess
  readonly said: string[]
  readonly node: string
  /** Process ids of the launcher and of the server. */
  readonly pids: [number, number]
  readonly exited: Promise<{ code: number | null; event: string; text: string }>
}

/** A new data folder that the engine's user can read. */
export async function dataFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'aisle-engine-'))
  await chmod(path, 0o755)
  return path
}

export function spawnService(dataDir: string): ChildProcess {
  return spawn(process.execPath, ['test/engine/run-engine.ts', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Runs the minimal service until its engine answers. */
export async function runEngine(dataDir: string): Promise<EngineRun> {
  const child = spawnService(dataDir)
  const said: string[] = []
  let last = { event: 'none', text: '' }
  const node = await new Promise<string>((done, fail) => {
    createInterface(child.stdout!).on('line', (line) => {
      last = JSON.parse(line)
      if (last.event === 'say') said.push(last.text)
      if (last.event === 'node') done(last.text)
    })
    child.on('exit', () => fail(new Error(`the service ended: ${last.text}`)))
  })
  const exited = new Promise<{ code: number | null; event: string; text: string }>((done) => {
    child.on('close', (code) => done({ code, ...last }))
  })
  return { child, said, node, pids: pidsOf(dataDir), exited }
}

export function pidsOf(dataDir: string): [number, number] {
  const read = (path: string) => Number(readFileSync(join(dataDir, path), 'utf8'))
  return [read('elasticsearch.pid'), read('elasticsearch/server.pid')]
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves once none of the processes is left; a negative number is a process group. */
export async function gone(pids: readonly number[], milliseconds = 15_000): Promise<void> {
  await until(() => !pids.some(isAlive), { milliseconds, what: `no process of ${pids}` })
}

/** Resolves once `done` returns true, polled 20 times per second; throws after the deadline. */
export async function until(
  done: () => boolean,
  { milliseconds, what }: { milliseconds: number; what: string },
): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (!done()) {
    if (Date.now() > deadline) throw new Error(`not within ${milliseconds} ms: ${what}`)
    await pause(50)
  }
}
