import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../../src/openapi/document.ts'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'

const FOLDER = join(import.meta.dirname, 'clients')
const packagesOf = (folder: string) => createRequire(join(folder, 'package.json'))
const generator = join(
  dirname(packagesOf(FOLDER).resolve('openapi-typescript/package.json')),
  'bin/cli.js',
)
const compiler = join(
  dirname(packagesOf(process.cwd()).resolve('typescript/package.json')),
  'bin/tsc',
)
const run = (file: string, ...parts: string[]) =>
  promisify(execFile)(process.execPath, [file, ...parts], { cwd: folder })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-clients-'))
})

test('openapi-typescript generates types from both documents, and a small client compiles with them', async () => {
  for (const revision of REVISIONS) {
    const document = openApiDocument({ operations, revision, base: '' })
    await writeFile(join(folder, `${revision}.json`), JSON.stringify(document))
    const { stdout, stderr } = await run(generator, `${revision}.json`, '-o', `${revision}.ts`)
    expect(`${stdout}${stderr}`).not.toMatch(/warn|error|⚠|✘/i)
  }
  await copyFile(join(FOLDER, 'client.ts'), join(folder, 'client.ts'))
  const options = [
    '--noEmit',
    '--strict',
    '--skipDefaultLibCheck',
    '--allowImportingTsExtensions',
    '--types',
    '',
  ]
  const files = ['client.ts', ...REVISIONS.map((revision) => `${revision}.ts`)]
  const kind = ['--module', 'nodenext', '--target', 'esnext']
  const problems = await run(compiler, ...options, ...kind, ...files).then(
    () => undefined,
    ({ stdout, message }: { stdout: string; message: string }) => stdout || message,
  )
  expect(problems).toBeUndefined()
})
