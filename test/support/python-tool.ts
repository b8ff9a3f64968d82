import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PYTHON = 'python3'

/** A command of a PyPI package, in its own virtual environment. */
export interface PythonTool {
  readonly command: string
  readonly folder: string
}

/** Installs the tool on first use. Throws if there is no suitable Python. */
export function pythonTool(name: string, version: string): PythonTool {
  const folder = resolve('node_modules', '.cache', `${name}-${version}`)
  const command = join(folder, 'bin', name)
  if (existsSync(command)) return { command, folder }
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  if (spawnSync(PYTHON, ['-c', check]).status !== 0) {
    throw new Error(`${PYTHON} is missing: install Python 3.10 or newer with its venv module.`)
  }
  const install = ['-m', 'pip', 'install', '--quiet', `${name}==${version}`]
  for (const [program, parts] of [
    [PYTHON, ['-m', 'venv', folder]],
    [join(folder, 'bin', 'python'), install],
  ] as const) {
    const { status } = spawnSync(program, parts, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${parts.join(' ')} failed.`)
  }
  return { command, folder }
}

/** Runs a program, shows its output and returns its exit status. Its files stay in `folder`. */
export const run = (
  { command, folder }: PythonTool,
  parts: readonly string[],
  env: Readonly<Record<string, string>> = {},
) =>
  new Promise<number>((resolved, rejected) => {
    const child = spawn(command, parts, {
      stdio: 'inherit',
      cwd: folder,
      env: { ...process.env, ...env },
    })
    child.on('error', rejected)
    child.on('exit', (code) => resolved(code ?? 1))
  })
