import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { InstanceSettings } from './instance.ts'

const SCRIPT = join(import.meta.dirname, 'instance.ts')
/** Node’s options in `npm start`, since memory and stalls are measured. */
const FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=0']
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '65536' }

/** A service in a separate process. */
export interface Instance {
  readonly name: string
  readonly address: string
  readonly pid: number
  fetch(request: Request): Promise<Response>
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Stops it gracefully, and resolves when the process has exited. */
  stop(): Promise<void>
  /** Kills it, as a power cut would. */
  end(): Promise<void>
}

/** Starts a service in a separate process, which ends with its parent. */
export async function startInstance(settings: InstanceSettings): Promise<Instance> {
  const child = spawn(process.execPath, [...FLAGS, SCRIPT, JSON.stringify(settings)], {
    env: { ...process.env, ...MEMORY },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const address = await firstLine(child)
  return {
    name: settings.name,
    address,
    pid: child.pid!,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(`${address}${pathname}${search}`, request))
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
    async end() {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function firstLine({ stdout, exitCode }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout!) {
    text += chunk
    const end = text.indexOf('\n')
    if (end !== -1) return text.slice(0, end)
  }
  throw new Error(`an instance did not start (exit code ${exitCode})`)
}
