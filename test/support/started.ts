import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import { endsWithFile } from './end-with-file.ts'

export interface Started {
  readonly child: ChildProcess
  /** What it ended with, and all that it printed. */
  readonly exited: Promise<{ status: number | null; stdout: string; stderr: string }>
  /** Waits for a line on standard output, and returns the first group of the pattern. */
  printed(pattern: RegExp): Promise<string>
  /** The address at which it listens. */
  listening(): Promise<string>
  /** Kills it, if it still runs. */
  kill(): Promise<void>
}

interface How {
  readonly dataDir: string
  /** Follows the prefix of the run in the names of indices. */
  readonly prefix: string
  readonly settings?: Readonly<Record<string, string>>
  /** Whether to start through npm, in a separate process group. */
  readonly npm?: boolean
}

/** Starts the service as `npm start` runs it, or by `npm start` itself. */
export function startProcess({ dataDir, prefix, settings = {}, npm = false }: How): Started {
  const [program, ...args] = npm ? ['npm', 'start'] : [process.execPath, 'src/start.js']
  const child = spawn(program!, args, {
    detached: npm,
    env: {
      PATH: process.env.PATH,
      ELASTICSEARCH_URL: inject('elasticsearch').node,
      INDEX_PREFIX: `${inject('indexPrefix')}-${prefix}`,
      DATA_DIR: dataDir,
      PORT: '0',
      // Messages of npm itself are not part of the service's output.
      npm_config_update_notifier: 'false',
      ...settings,
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const exited = once(child, 'close').then(([status]) => ({ status, stdout, stderr }))
  const printed = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(stdout)?.[1]
      if (found !== undefined) return found
      const ended = await Promise.race([once(child.stdout, 'data').then(() => null), exited])
      if (ended) throw new Error(`ended with ${ended.status}: ${ended.stdout}${ended.stderr}`)
    }
  }
  const kill = endsWithFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // A service whose npm is killed ends by itself.
    child.kill('SIGKILL')
    await exited
  })
  const listening = () => printed(/^aisle: listening at (\S+)\n/m)
  return { child, exited, printed, listening, kill }
}
