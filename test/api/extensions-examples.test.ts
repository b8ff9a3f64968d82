import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { recommender } from '../../examples/recommender.ts'
import { type Listening, serve } from '../../examples/server.ts'
import { vendor } from '../../examples/vendor.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { webhookHeaders } from '../../src/platform/webhook-signature.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { installRemote } from '../support/remote.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

let service: Standalone
let organization: TestOrganization
let call: Call
const open: Listening[] = []
const processes: ChildProcess[] = []

const drill = {
  id: 'D-100',
  name: 'Forge 18 V cordless drill driver',
  manufacturerPartNumber: 'DS18-040',
  vendors: [
    { vendorName: 'Oakvale Supply', vendorPartNumber: 'OV-77', cost: 99 },
    { vendorName: 'Tidewell Direct', vendorPartNumber: 'TW-77', cost: 95 },
  ],
}
const products = [
  drill,
  { id: 'D-200', name: 'Compact 12 V drill driver', manufacturerPartNumber: 'DS12-010' },
  { id: 'W-300', name: 'Combination wrench 19 mm', manufacturerPartNumber: 'CW-19' },
]
const asked = { products: products.map(({ id }) => ({ catalog: 'tools', id })) }

beforeAll(async () => {
  const outbound = createOutbound({ allow: '127.0.0.1' })
  service = await startStandalone('extensions', { shared: true, outbound })
  organization = await newOrganization(service)
  call = organization.call
  await seedCatalog(service, organization, products, 'tools')
  return () => service.stop()
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
  for (const one of processes.splice(0)) {
    one.kill()
    if (one.exitCode === null && one.signalCode === null) await once(one, 'exit')
  }
})

async function started(extension: Parameters<typeof serve>[0]): Promise<Listening> {
  const listening = await serve(extension)
  open.push(listening)
  return listening
}

describe('the example vendor', () => {
  const installed = async (account: string) =>
    installRemote(call, await started(vendor), {
      vendor: 'Oakvale Supply',
      additionalData: { account, password: 'oakvale' },
    })

  const run = async (id: string) =>
    (await expectOk(call(`POST /api/extensions/realtime/${id}/run`, { body: asked }))).body

  test('reports stock by warehouse, and the price of the account', async () => {
    const answer = await run(await installed('1002'))
    expect(answer).toMatchObject({ success: true, error: null })
    expect(answer.items).toContainEqual(
      expect.objectContaining({
        vendorPartNumber: 'OV-77',
        onHand: 37,
        cost: 83.25,
        warehouses: expect.arrayContaining([
          { warehouse: 'Leipzig', onHand: 30, inStockDate: null },
        ]),
      }),
    )
  })

  test('refuses an unknown account on installation and in a run', async () => {
    const { manifestUrl, secret } = await started(vendor)
    await expectOk(call('POST /api/extensions/available', { body: { manifestUrl, secret } }))
    const body = { additionalData: { account: '1', password: 'oakvale' } }
    const verdict = await call('POST /api/extensions/available/oakvale-stock/validate', { body })
    expect(verdict.body).toMatchObject({ success: false, problems: [{ field: 'account' }] })
    const id = await installed('1')
    const logged = await call(`POST /api/extensions/realtime/${id}/run`, { body: asked })
    expect(JSON.stringify(logged.body)).toContain('The account is unknown')
  })

  test('accepts a call only once', async () => {
    const { manifestUrl, secret } = await started(vendor)
    await refusesReplays(new URL('validate', manifestUrl).href, secret)
  })

  test('refuses callers that do not know its secret', async () => {
    const { manifestUrl } = await started(vendor)
    const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
    const id = await installRemote(
      call,
      { manifestUrl, secret },
      {
        vendor: 'Oakvale Supply',
        additionalData: { account: '1001', password: 'oakvale' },
      },
    )
    const { body } = await call(`POST /api/extensions/realtime/${id}/run`, { body: asked })
    expect(JSON.stringify(body)).toContain('responded with status 401')
  })
})

test('the example recommender finds products by the public API', async () => {
  const additionalData = {
    address: service.address,
    key: await organization.key('viewer', 'search'),
  }
  const id = await installRemote(call, await started(recommender), { additionalData })
  const body = { products: [{ catalog: 'tools', id: 'D-100' }] }
  const line = `POST /api/extensions/recommendation/${id}/run`
  const answer = (await expectOk(call(line, { body }))).body
  expect(answer).toMatchObject({ success: true, products: ['D-200'] })
  expect(answer.possibleProducts[0]).toMatchObject({
    productId: 'D-200',
    scorer: 'name',
    source: 'tools',
    matchGroup: 'D-100',
  })
})

/** Starts a program and returns the first line that it prints. */
async function firstLine(command: string, args: string[], env: object): Promise<string> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`${command} printed nothing`)
}

describe('examples on the command line', () => {
  test.each(['vendor', 'recommender'])('%s starts with one command', async (name) => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
    const [, ...args] = scripts[`example:${name}`].split(' ')
    const line = await firstLine(process.execPath, args, { PORT: '0' })
    const { manifestUrl, secret } = JSON.parse(line.replace('Register it with ', ''))
    const body = { manifestUrl, secret }
    const answer = await expectOk(call('POST /api/extensions/available', { body }))
    expect(answer.body.success).toBe(true)
  })

  test('the example of docs/extensions.md runs as printed', async () => {
    const page = await readFile('docs/extensions.md', 'utf8')
    // Readers of the page have this product from the tour.
    expect(await readFile('README.md', 'utf8')).toMatch(/^D-100,.*,Tidewell Direct,TW-77,/m)
    const [program, commands] = ['js', 'bash'].map(
      (kind) => new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, 'ms').exec(page)![1]!,
    )
    expect(program!.split('\n').length).toBeLessThanOrEqual(60)
    const file = join(await mkdtemp(join(tmpdir(), 'aisle-example-')), 'vendor.mjs')
    await writeFile(file, program!)
    const port = String(await freePort())
    const env = { PORT: port, SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}` }
    await firstLine(process.execPath, [file], env)
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', commands!.replaceAll('4020', port)],
      {
        env: {
          ...process.env,
          ...env,
          AISLE: service.address,
          KEY: await organization.key('administrator'),
        },
      },
    )
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // In a large body, multi-byte characters are split between chunks.
    const umlauts = Array.from({ length: 100 }, (_, n) => ({
      id: `Ü-${n}`,
      name: 'ÄÖÜß€'.repeat(100),
      vendors: [{ vendorName: 'Tidewell Direct', vendorPartNumber: 'TW-19' }],
    }))
    const catalog = await seedCatalog(service, organization, umlauts)
    const installed = (await expectOk(call('GET /api/extensions/installed'))).body
    const { id } = installed.find((one: { name: string }) => one.name.startsWith('Tidewell'))
    const many = await expectOk(
      call(`POST /api/extensions/realtime/${id}/run`, {
        body: { products: umlauts.map((one) => ({ catalog, id: one.id })) },
      }),
    )
    expect(many.body.items.map((one: { cost: number }) => one.cost)).toEqual(Array(100).fill(7.4))
    await refusesReplays(`http://127.0.0.1:${port}/validate`, env.SECRET)
    expect(answers).toMatchObject([
      { success: true, id: 'tidewell-stock' },
      { success: false, problems: [{ field: 'account', message: 'must have four digits' }] },
      { success: true, message: 'Extension installed.' },
      { success: true, items: [{ vendorPartNumber: 'TW-77', onHand: 12, cost: 89.5 }] },
      { items: [{ action: 'run', success: true }] },
    ])
  })
})

/** A signed call is accepted once only, and not if a byte is changed. */
async function refusesReplays(url: string, secret: string) {
  const body = JSON.stringify({ installation: { fields: { account: 'é' } }, request: null })
  const id = crypto.randomUUID()
  const headers = webhookHeaders({ id, body, now: new Date() }, [secret])
  const post = async (text: string) =>
    (await fetch(url, { method: 'POST', headers, body: text })).status
  expect([await post(`${body} `), await post(body), await post(body)]).toEqual([401, 200, 401])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
