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
  /** Launcher and server. */
  readonly pids: [number, number]
  readonly exited: Promise<{ code: number | null; event: string; text: string }>
}

/** A fresh data folder that the engine's user can reach. */
export async function dataFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'aisle-engine-'))
  await chmod(path, 0o755)
  return path
}

/** Runs the miniature service until its engine answers. */
export async function runEngine(dataDir: string): Promise<EngineRun> {
  const child = spawn(process.execPath, ['test/engine/run-engine.ts', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
  const [launcher, server] = pidsOf(dataDir)
  return { child, said, node, pids: [launcher!, server!], exited }
}

export function pidsOf(dataDir: string): number[] {
  return readFileSync(join(dataDir, 'elasticsearch.pid'), 'utf8').trim().split('\n').map(Number)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when none of the processes is left; throws after the deadline. */
export async function gone(pids: readonly number[], milliseconds = 15_000): Promise<void> {
  const deadline = Date.now() + milliseconds
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) throw new Error(`still running: ${pids.filter(isAlive)}`)
    await pause(50)
  }
}
