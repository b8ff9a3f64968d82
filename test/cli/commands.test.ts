import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type HttpServer, listen } from '../../src/http/server.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let server: HttpServer
let organization: TestOrganization
let folder: string
let key: string
let url: string

beforeAll(async () => {
  server = await listen({ port: 0, host: '127.0.0.1', fetch: (request) => service.fetch(request) })
  service = await startService()
  organization = await newOrganization(service)
  folder = await mkdtemp(join(tmpdir(), 'aisle-commands-'))
  key = await organization.key('administrator')
  url = `http://127.0.0.1:${server.port}`
  const products = [
    { id: 'a', name: 'Drill \u001b]0;owned\u0007', facets: { Voltage: '18 V' } },
    {
      ...{ id: 'b', name: 'Drill bit' },
      vendors: [
        { vendorName: 'Oakvale', cost: 4, inStock: true },
        { vendorName: 'Tidewell', cost: 9, inStock: true },
      ],
    },
  ]
  await seedCatalog(service, organization, products, 'tools')
})

afterAll(async () => {
  await service.stop()
  await server.close()
  await rm(folder, { recursive: true })
})

interface Ended {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

function start(line: readonly string[], environment: object) {
  const { AISLE_API_KEY: _, ...env } = process.env
  return spawn(process.execPath, ['client/src/cli/main.ts', ...line], {
    env: { ...env, XDG_CONFIG_HOME: folder, ...environment },
  })
}

/** Runs a command with the profiles in the test's folder, the only place of the key. */
function aisle(line: readonly string[], { input = '', environment = {} } = {}): Promise<Ended> {
  const child = start(line, environment)
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  child.stdin.end(input)
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, output, errors }))
  })
}

const profiles = () => join(folder, 'aisle', 'profiles.json')

describe('profiles', () => {
  test('store a key readable only by its owner, and never show it', async () => {
    const add = ['profile', 'add', 'shop', '--url', `${url}/`, '--catalog', 'tools']
    const added = await aisle(add, { input: `${key}\n` })
    expect(added).toMatchObject({ status: 0, errors: '' })
    expect((await stat(profiles())).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'aisle'))).mode & 0o777).toBe(0o700)
    const listed = await aisle(['profile', 'list', '--json'])
    expect(JSON.parse(listed.output)).toEqual([
      { name: 'shop', isCurrent: true, url, organization: null, catalog: 'tools' },
    ])
    const used = await aisle(['profile', 'use', 'shop', '--json'])
    expect(JSON.parse(used.output)).toEqual({ name: 'shop', current: 'shop' })
    for (const { output, errors } of [added, listed]) expect(output + errors).not.toContain(key)
  })

  test('are refused if others can read them', async () => {
    await chmod(profiles(), 0o644)
    const refused = await aisle(['search', 'drill'])
    expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('chmod 600') })
    await chmod(profiles(), 0o600)
  })

  test('accept no key on the command line, where others see it', async () => {
    const refused = await aisle(['profile', 'add', 'x', '--key', key])
    expect(refused.status).toBe(2)
    expect(refused.errors).toMatch(/^A key on the command line is visible to others/)
    expect(refused.errors).not.toContain(key)
  })

  test('must name the organization for a key with several', async () => {
    const environment = { AISLE_API_KEY: OPERATOR_KEY, AISLE_URL: url }
    const refused = await aisle(['search', 'drill', '--catalog', 'tools'], { environment })
    expect(refused).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^400: --organization: /),
    })
  })
})

test('a search prints a table, JSON, or all results', async () => {
  const [shown, json, all] = await Promise.all([
    aisle(['search', 'drill', '--facet', 'Voltage=18 V']),
    aisle(['search', 'drill', '--json']),
    aisle(['search', '--all', '--json', '--page-size', '1']),
  ])
  expect(shown.output).toContain('a   -      Drill  ]0;owned')
  expect(shown.output).toMatch(/^1 found$/m)
  expect(JSON.parse(json.output).total).toBe(2)
  const ids = all.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(ids.sort()).toEqual(['a', 'b'])
})

test('a search prints the prices that it filters by', async () => {
  const list = '/api/Catalog/tools/priceLists/dealers'
  await expectOk(organization.call(`PUT ${list}`, { body: { currency: 'EUR' } }))
  const lines = [{ id: 'b', price: 7.5 }]
  await expectOk(organization.call(`POST ${list}/prices`, { body: { lines } }))
  const ofList = ['search', 'bit', '--price-list', 'dealers', '--max-price', '8']
  for (const [line, price] of [
    [ofList, '7.5'],
    [[...ofList, '--all'], '7.5'],
    [['search', 'bit', '--vendor', 'Tidewell'], '9'],
    [['search', 'bit'], '4'],
  ] as const) {
    await expect
      .poll(async () => (await aisle(line)).output)
      .toMatch(new RegExp(`^b +- +Drill bit +${price} +yes$`, 'm'))
  }
})

test('products are created, changed by version, and deleted', async () => {
  const made = await aisle(['products', 'create', '-'], { input: '{"id": "n/1", "name": "New"}' })
  expect(made).toMatchObject({ status: 0, errors: '' })
  const file = join(folder, 'change.json')
  await writeFile(file, '{"msrp": 12.5}')
  expect(await aisle(['products', 'update', 'n/1', file])).toMatchObject({ status: 0 })
  const stale = await aisle(['products', 'update', 'n/1', file, '--if-version', '1'])
  expect(stale).toMatchObject({ status: 1, errors: expect.stringMatching(/^412: /) })
  const [read] = (await aisle(['products', 'get', 'n/1', '--json'])).output.split('\n')
  expect(JSON.parse(read!)).toMatchObject({ name: 'New', msrp: 12.5 })
  expect(await aisle(['products', 'delete', 'n/1'])).toMatchObject({ status: 0 })
  const gone = await aisle(['products', 'get', 'n/1'])
  expect(gone).toMatchObject({ status: 1, errors: '404: Product not found.\n' })
})

test('settings that somebody changed since they were read are not overwritten', async () => {
  const file = join(folder, 'rules.json')
  const read = JSON.parse((await aisle(['rules', 'get'])).output)
  const rule = {
    name: 'Drills first',
    when: { query: 'bit' },
    pins: [{ product: 'a', position: 1 }],
  }
  await writeFile(file, JSON.stringify({ ...read, rules: [rule] }))
  expect(await aisle(['rules', 'put', file])).toMatchObject({ status: 0, errors: '' })
  const again = await aisle(['rules', 'put', file])
  expect(again).toMatchObject({
    status: 1,
    errors: expect.stringMatching(/^The search settings of .*--force/),
  })
  expect(await aisle(['rules', 'put', file, '--force'])).toMatchObject({ status: 0 })

  const all = await aisle(['settings', 'get'])
  const synonyms = { groups: [{ words: ['bit', 'drill bit'] }] }
  const changed = JSON.stringify({ version: JSON.parse(all.output).version, synonyms })
  expect(await aisle(['settings', 'put', '-'], { input: changed })).toMatchObject({ status: 0 })
  expect(await aisle(['settings', 'put', '-'], { input: changed })).toMatchObject({ status: 1 })
  expect(await aisle(['rules', 'put', '-'], { input: changed })).toMatchObject({
    ...{ status: 1, errors: 'Standard input has no list of rules.\n' },
  })
  const { body } = await organization.call('GET /api/Catalog/tools/search/settings')
  expect(body).toMatchObject({ synonyms, rules: [rule] })
})

test('a new key is written to a file or a profile, and never printed', async () => {
  const file = join(folder, 'key')
  const make = ['keys', 'create', '--name', 'page', '--type', 'search']
  const made = await aisle([...make, '--output', file])
  const saved = (await readFile(file, 'utf8')).trim()
  expect(saved).toMatch(/^aisle_search_/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(made.output + made.errors).not.toContain(saved)
  const again = await aisle([...make, '--output', file])
  expect(again).toMatchObject({ status: 1, errors: expect.stringContaining('already exists') })
  expect(await aisle([...make, '--save-as', 'page'])).toMatchObject({ status: 0 })
  const { id } = (await organization.call('GET /api/KeyAuth/keys')).body.keys[0]
  expect((await aisle(['search', 'drill', '--profile', 'page'])).status).toBe(0)
  expect((await aisle(['keys', 'disable', id])).status).toBe(0)
  const disabled = await aisle(['search', 'drill', '--profile', 'page'])
  expect(disabled).toMatchObject({ status: 1, errors: expect.stringMatching(/^401: /) })
})

test('a failure to connect is reported as worth retrying', async () => {
  const environment = { AISLE_URL: 'http://127.0.0.1:9', AISLE_API_KEY: 'k' }
  expect(await aisle(['search', 'x'], { environment })).toEqual({
    status: 75,
    output: '',
    errors: 'http://127.0.0.1:9 does not respond. Check that the service is running.\n',
  })
})

describe('an export', () => {
  /** A service that never sends the end of a file; `cut` closes its connections. */
  async function halfway() {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url!.endsWith('/run')) {
        response.end(JSON.stringify({ success: true, redirectUrl: 'http://x/api/files/f' }))
      } else response.write('{"id": "a"}\n{"id')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const environment = { AISLE_URL: `http://127.0.0.1:${port}`, AISLE_API_KEY: 'k' }
    const target = await mkdtemp(join(folder, 'export-'))
    const child = start(['export', '--output', join(target, 'all.jsonl')], environment)
    let errors = ''
    child.stderr.on('data', (text) => {
      errors += text
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await vi.waitFor(async () => {
      expect(await readdir(target)).toEqual([expect.stringMatching(/^all\.jsonl\..*\.part$/)])
    }, 20_000)
    const end = async () => {
      const status = await ended
      server.closeAllConnections()
      server.close()
      return { status, errors, left: await readdir(target) }
    }
    return { child, cut: () => server.closeAllConnections(), end }
  }

  test('leaves no file if it is interrupted', async () => {
    const { child, end } = await halfway()
    child.kill('SIGINT')
    expect(await end()).toEqual({ status: 130, errors: '', left: [] })
  })

  test('leaves no file if it is cut off, and reports it as worth retrying', async () => {
    const { cut, end } = await halfway()
    cut()
    expect(await end()).toEqual({
      status: 75,
      errors: 'The response was incomplete. Try again.\n',
      left: [],
    })
  })
})

describe('completion', () => {
  const complete = async (script: string, ...words: string[]): Promise<string> => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(aisle ${line}); COMP_CWORD=${words.length}; _aisle; echo "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`])
    return stdout.trim()
  }

  test('knows commands, their options and values', async () => {
    const { output: script } = await aisle(['completion', 'bash'])
    expect(await complete(script, 'sea')).toBe('search')
    expect(await complete(script, 'products', 'u')).toBe('update')
    expect(await complete(script, 'products', 'update', '--if')).toBe('--if-version')
    expect(await complete(script, 'import', 'x.csv', '--type', 'bm')).toBe('bmecat')
    expect(await complete(script, 'keys', 'create', '--type', 's')).toBe('search')
  })

  test('is available for other shells', async () => {
    const [zsh, fish, none] = await Promise.all(
      ['zsh', 'fish', 'csh'].map((shell) => aisle(['completion', shell])),
    )
    expect(zsh!.output).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n/)
    expect(fish!.output).toContain(
      "complete -c aisle -n '__fish_seen_subcommand_from import' -l vendor -r",
    )
    expect(none).toMatchObject({ status: 2, output: '' })
  })
})
