import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineFolders } from '../../src/engine/folders.ts'
import { thisMachine } from '../../src/engine/machine.ts'
import { caller, expectOk, serviceAt } from '../support/client.ts'
import { upload } from '../support/imports.ts'
import { expectShortLife } from '../support/short-lived-engine.ts'
import { startProcess } from '../support/started.ts'
import {
  dataFolder,
  type EngineRun,
  gone,
  isAlive,
  pidsOf,
  runEngine,
  spawnService,
  until,
} from './engine-process.ts'

/** The commands below a heading of docs/operations.md. */
const blocksOf = (heading: string): string[] => {
  const manual = readFileSync('docs/operations.md', 'utf8')
  const section = manual.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`))
  return [...section!.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!)
}

const folders: string[] = []
const runs: EngineRun[] = []
let [first, second] = [] as unknown as [EngineRun, EngineRun]

async function start(folder: string): Promise<EngineRun> {
  const run = await runEngine(folder)
  runs.push(run)
  return run
}

/** The tests follow two engines in order, since every start takes about ten seconds. */
describe('the embedded engine', () => {
  beforeAll(async () => {
    folders.push(await dataFolder(), await dataFolder())
    await Promise.all(folders.map(expectShortLife))
    ;[first, second] = (await Promise.all(folders.map(start))) as [EngineRun, EngineRun]
  })

  afterAll(async () => {
    for (const { child, pids } of runs) {
      child.kill('SIGKILL')
      for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL')
      await gone(pids)
    }
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  test('runs beside another one with its own address and data', async () => {
    expect(first.node).not.toBe(second.node)
    const put = await fetch(`${first.node}/kept/_doc/1?refresh=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"kept":true}',
    })
    expect(put.status).toBe(201)
    expect((await fetch(`${second.node}/kept/_doc/1`)).status).toBe(404)
  })

  test('listens on this machine only', async () => {
    const { nodes } = (await (await fetch(`${first.node}/_nodes/http,settings`)).json()) as {
      nodes: Record<string, { http: { bound_address: string[] } }>
    }
    for (const { http } of Object.values(nodes)) {
      expect(http.bound_address.map((address) => address.replace(/:\d+$/, ''))).toEqual([
        '127.0.0.1',
      ])
    }
  })

  test('restores a backup with the documented commands', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'aisle-restored-'))
    const settings = { ELASTICSEARCH_URL: first.node, INDEX_PREFIX: 'aisle' }
    const env = { PATH: process.env.PATH, ES: first.node, DATA_DIR: dataDir }
    const shell = (...commands: string[]) =>
      promisify(execFile)('bash', ['-euc', [...blocksOf('Running Aisle'), ...commands].join('')], {
        ...{ cwd: folders[0], env },
      })
    const service = startProcess({ dataDir, prefix: '', settings })
    const key = await service.printed(/^aisle: operator key \(shown only once\): (\S+)\n/m)
    const call = caller(serviceAt(await service.listening()), { key, organization: 'shop' })
    const organization = { id: 'shop', name: 'Shop' }
    await expectOk(call('POST /api/organizations', { organization: null, body: organization }))
    await expectOk(call('POST /api/Catalog', { body: { name: 'tools' } }))
    const product = { id: 'P-1', name: 'Anvil' }
    await expectOk(call('POST /api/Catalog/tools/products', { body: product }))
    const kept = new URL(await upload(call, 'the file'))

    const { stdout } = await shell(...blocksOf('Backup'), 'echo; echo day $DAY\n')
    expect(stdout).toContain('"state":"SUCCESS"')
    const later = { name: 'Changed after the backup' }
    await expectOk(call('PUT /api/Catalog/tools/products/P-1', { body: later }))
    service.child.kill('SIGTERM')
    expect((await service.exited).status).toBe(0)
    const sealing = await readFile(join(dataDir, 'encryption-key'))
    await rm(dataDir, { recursive: true })
    await shell(`DAY=${/^day (\S+)$/m.exec(stdout)![1]}\n`, ...blocksOf('Restore'))
    await writeFile(join(dataDir, 'encryption-key'), sealing, { mode: 0o600 })

    const again = startProcess({ dataDir, prefix: '', settings })
    const restored = caller(serviceAt(await again.listening()), { key, organization: 'shop' })
    const found = await expectOk(restored('POST /api/search?catalog=tools', { body: {} }))
    expect(found.body.products).toMatchObject([product])
    expect((await expectOk(restored(`GET ${kept.pathname}`))).body).toBe('the file')
    await again.kill()
    const { root, snapshots } = await engineFolders(thisMachine(), folders[0]!)
    expect(snapshots.startsWith(root)).toBe(true)
    expect(existsSync(join(snapshots, 'aisle', 'index-0'))).toBe(true)
  })

  test('reports no problem with its configuration', () => {
    expect(readFileSync(join(folders[0]!, 'elasticsearch.out'), 'utf8')).not.toMatch(/error/i)
  })

  test('refuses a second service on the same data folder', async () => {
    await expect(runEngine(folders[0]!)).rejects.toThrow(
      `Another Aisle (process ${first.child.pid}) uses DATA_DIR ${folders[0]}`,
    )
  })

  test('is restarted when it dies, with the same data and address', async () => {
    const put = await fetch(`${second.node}/stays/_doc/1`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"stays":true}',
    })
    expect(put.status).toBe(201)
    process.kill(second.pids[1], 'SIGKILL')
    await gone(second.pids)
    const stays = async () => {
      const answer = await fetch(`${second.node}/stays/_source/1`).catch(() => undefined)
      return answer?.status === 200 ? answer.json() : undefined
    }
    await expect.poll(stays, { timeout: 90_000, interval: 200 }).toEqual({ stays: true })
    runs.push({ ...second, pids: pidsOf(folders[1]!) })
  })

  test('exits when the service is killed with SIGKILL, even after a restart', async () => {
    const { child, pids } = runs.at(-1)!
    child.kill('SIGKILL')
    await gone(pids)
  })

  test('exits if the service is killed while it starts', async () => {
    const serverPid = join(folders[1]!, 'elasticsearch/server.pid')
    await rm(serverPid, { force: true })
    const service = spawnService(folders[1]!)
    await until(() => existsSync(serverPid), { milliseconds: 60_000, what: 'a server process' })
    service.kill('SIGKILL')
    const [launcher, server] = pidsOf(folders[1]!)
    await gone([-launcher, server])
  })

  test('exits with a killed service even if frozen, and the next start has its data', async () => {
    // A frozen server cannot notice that its service died.
    process.kill(first.pids[1], 'SIGSTOP')
    first.child.kill('SIGKILL')
    await gone(first.pids)
    const again = await start(folders[0]!)
    expect(await (await fetch(`${again.node}/kept/_source/1`)).json()).toEqual({ kept: true })
  })

  test('stops with the service within 15 s and leaves nothing but its data', async () => {
    const last = runs.at(-1)!
    const asked = performance.now()
    last.child.kill('SIGTERM')
    expect((await last.exited).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(15_000)
    await gone(last.pids, 0)
    expect(existsSync(join(folders[0]!, 'elasticsearch.pid'))).toBe(false)
    expect(existsSync(join(folders[0]!, 'service.lock'))).toBe(false)
  })
})
