import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '../../src/openapi/document.ts'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { pythonTool } from '../support/python-tool.ts'

/** Java and Go have types of their own, Python and TypeScript reserved words. */
const LANGUAGES = ['typescript-fetch', 'python', 'java', 'go']

/** Warnings of the generator for any document. */
const OF_ITSELF = [
  'OpenAPI 3.1 support is still in beta.',
  // For any object without additional fields, such as those of requests.
  'Failed to get the schema name: null',
  // For names that it tries for fields, which none of its clients contains.
  ' - Exclude (model name matches existing language type)',
  ' - Field (reserved word)',
  ' - From (reserved word)',
  // Java's clients contain no examples of bodies that are lists.
  'Ignoring complex example on request body',
]

const tool = pythonTool('openapi-generator-cli', '7.26.0')
const folder = await mkdtemp(join(tmpdir(), 'aisle-generators-'))

/** Runs the generator, and records its warnings and whether it failed. */
function check(what: string, parts: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(tool.command, parts, {
    encoding: 'utf8',
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  })
  const warnings = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => / (?:WARN|ERROR) |^(?:Warnings|Errors):/.test(line))
    .filter((line) => !OF_ITSELF.some((one) => line.includes(one)))
  console.log(`${what}: ${status === 0 && warnings.length === 0 ? 'no warning' : 'FAILED'}`)
  if (status !== 0 || warnings.length > 0) {
    console.log(warnings.join('\n') || `${stdout}${stderr}`)
    process.exitCode = 1
  }
}

for (const revision of REVISIONS) {
  const file = join(folder, `${revision}.json`)
  await writeFile(file, JSON.stringify(openApiDocument({ operations, revision, base: '' })))
  check(`revision ${revision}, validation`, ['validate', '--recommend', '-i', file])
  for (const language of LANGUAGES) {
    const parts = ['-i', file, '-g', language, '-o', join(folder, `${revision}-${language}`)]
    check(`revision ${revision}, ${language}`, ['generate', ...parts])
  }
}
await rm(folder, { recursive: true })
