import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { embedElasticsearch } from '../../src/engine/embedded.ts'
import { engineFolders } from '../../src/engine/folders.ts'
import { thisMachine } from '../../src/engine/machine.ts'
import { openDataFolder } from '../../src/platform/data-folder.ts'
import { processStart } from '../../src/platform/process-identity.ts'

let folder: string
let other: ChildProcess
const at = (name: string) => join(folder, name)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-data-'))
  other = spawn('sleep', ['60'])
})
afterEach(async () => {
  other.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const lockOf = async (pid: number) => JSON.stringify({ pid, started: await processStart(pid) })

describe('DATA_DIR', () => {
  test('is created, marked and locked until it is released', async () => {
    const opened = await openDataFolder(at('a/b'))
    expect(await readFile(join(opened.path, 'version'), 'utf8')).toBe('1\n')
    await expect(openDataFolder(at('a/b'))).rejects.toThrow(
      `Another Aisle (process ${process.pid})`,
    )
    await opened.release()
    await (await openDataFolder(at('a/b'))).release()
    expect(await readdir(at('a/b'))).toEqual(['version'])
  })

  test('is refused if a running process uses it', async () => {
    await writeFile(at('service.lock'), await lockOf(other.pid!))
    await expect(openDataFolder(folder)).rejects.toThrow(
      `Another Aisle (process ${other.pid}) uses DATA_DIR ${folder}: stop it, or set another DATA_DIR.`,
    )
  })

  test.each([
    [
      'a dead process',
      async () => {
        const lock = await lockOf(other.pid!)
        other.kill('SIGKILL')
        await new Promise((done) => other.on('exit', done))
        return lock
      },
    ],
    [
      'a number that another process has now',
      async () => JSON.stringify({ pid: other.pid, started: 'at another time' }),
    ],
    ['a process that died while it wrote', async () => '{"pid":'],
  ])('is taken over if its lock is held by %s', async (_, lock) => {
    await writeFile(at('service.lock'), await lock())
    await (await openDataFolder(folder)).release()
  })

  test('is refused and left unchanged if a newer version created it', async () => {
    await writeFile(at('version'), '2\n')
    await expect(openDataFolder(folder)).rejects.toThrow(
      'was written by a newer version of Aisle (data version 2, but this one reads 1): start the newer version, or set another DATA_DIR.',
    )
    expect(await readdir(folder)).toEqual(['version'])
  })

  test('is refused if it contains something else', async () => {
    await writeFile(at('version'), 'v20.1')
    await expect(openDataFolder(folder)).rejects.toThrow('a folder that only Aisle uses')
  })

  test('is refused on a full disk', async () => {
    await expect(openDataFolder(folder, { minimumFreeBytes: 2 ** 60 })).rejects.toThrow(
      /^Only \d+ MiB are free on the disk of DATA_DIR .*: free up space, or set DATA_DIR/,
    )
  })

  test('is refused if it cannot be created', async () => {
    await writeFile(at('file'), '')
    await expect(openDataFolder(at('file/data'))).rejects.toThrow(
      `DATA_DIR ${at('file/data')} cannot be written (ENOTDIR): make it writable for this user, or set another DATA_DIR.`,
    )
  })

  test('is refused where the system creates no folders', async () => {
    await expect(openDataFolder('/proc/aisle/data')).rejects.toThrow('cannot be written (E')
  })

  test('is refused if it belongs to another user', async () => {
    await chmod(folder, 0o555)
    // Root can write anywhere, so the child becomes the user nobody.
    const script = `import { openDataFolder } from './src/platform/data-folder.ts'
      if (process.getuid() === 0) process.seteuid(65534)
      openDataFolder(process.argv[1]).catch((error) => console.log(error.message))`
    const args = ['--input-type=module', '--eval', script, folder]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toContain(`DATA_DIR ${folder} cannot be written (EACCES)`)
  })

  test('is refused with a newer Elasticsearch’s data before anything starts', async () => {
    await chmod(folder, 0o755)
    const { root } = await engineFolders(thisMachine(), folder)
    await writeFile(join(root, 'version'), '10.0.0')
    const embedding = { machine: thisMachine(), dataDir: folder, say: () => {} }
    await expect(embedElasticsearch(embedding)).rejects.toThrow(
      /was written by Elasticsearch 10\.0\.0, but this version of Aisle has .*: start the newer version, or set another DATA_DIR\./,
    )
  })
})
