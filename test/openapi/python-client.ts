import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '../../src/openapi/document.ts'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { pythonTool, run } from '../support/python-tool.ts'

/** Imports each module of a package, to check that none is broken. */
const IMPORT_ALL = `
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module(sys.argv[2])
modules = [name for _, name, _ in pkgutil.walk_packages(package.__path__, package.__name__ + '.')]
for name in modules: importlib.import_module(name)
print(f'{len(modules)} modules')
`

const tool = pythonTool('openapi-python-client', '0.29.1')
const python = { ...tool, command: join(tool.folder, 'bin', 'python') }
// The generator runs its formatter, which is installed beside it, by name.
const PATH = `${join(tool.folder, 'bin')}:${process.env.PATH}`
const folder = await mkdtemp(join(tmpdir(), 'aisle-python-'))
for (const revision of REVISIONS) {
  console.log(`\nrevision ${revision}`)
  const name = `aisle_${revision.replace('.', '_')}`
  const file = join(folder, `${name}.json`)
  const document = openApiDocument({ operations, revision, base: '' })
  await writeFile(file, JSON.stringify(document))
  const generate = ['generate', '--fail-on-warning', '--meta', 'none', '--path', file]
  const made = await run(tool, [...generate, '--output-path', join(folder, name)], { PATH })
  const failed = made !== 0 || (await run(python, ['-c', IMPORT_ALL, folder, name])) !== 0
  if (failed) process.exitCode = 1
}
