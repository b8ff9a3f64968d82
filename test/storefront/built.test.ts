import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const BUILT = 'src/storefront/built'

const filesOf = async (folder: string): Promise<Map<string, Buffer>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  const files = names
    .sort()
    .map(async (name) => [name, await readFile(join(folder, name))] as const)
  return new Map(await Promise.all(files))
}

test('the served files are the output of `npm run storefront:build`', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-storefront-'))
  await promisify(execFile)(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', 'storefront', '--outDir', folder],
    { env: { ...process.env, NODE_ENV: 'production' } },
  )
  const [fresh, kept] = await Promise.all([filesOf(folder), filesOf(BUILT)])
  expect([...kept.keys()]).toEqual([...fresh.keys()])
  expect([...fresh].filter(([name, bytes]) => !bytes.equals(kept.get(name)!))).toEqual([])
})
