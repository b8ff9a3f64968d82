import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const VERSION = '4.32.5'
const FOLDER = resolve('node_modules', '.cache', `schemathesis-${VERSION}`)
const PYTHON = 'python3'

/** The command, installed on first use. Throws when there is no Python that can run it. */
export function schemathesis(): string {
  const command = join(FOLDER, 'bin', 'schemathesis')
  if (existsSync(command)) return command
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  if (spawnSync(PYTHON, ['-c', check]).status !== 0) {
    throw new Error(`${PYTHON} is missing: install Python 3.10 or newer with its venv module.`)
  }
  const install = ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]
  for (const [program, parts] of [
    [PYTHON, ['-m', 'venv', FOLDER]],
    [join(FOLDER, 'bin', 'python'), install],
  ] as const) {
    const { status } = spawnSync(program, parts, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${parts.join(' ')} failed.`)
  }
  return command
}

/** Runs it to its end, its output shown; answers its status. What it leaves stays in its folder. */
export const run = (command: string, parts: readonly string[], env: Record<string, string>) =>
  new Promise<number>((resolved, rejected) => {
    const child = spawn(command, parts, {
      stdio: 'inherit',
      cwd: FOLDER,
      env: { ...process.env, ...env },
    })
    child.on('error', rejected)
    child.on('exit', (code) => resolved(code ?? 1))
  })
