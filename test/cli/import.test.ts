import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpServer, listen } from '../../src/http/server.ts'
import { newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let server: HttpServer
let organization: TestOrganization
let folder: string
let key: string

beforeAll(async () => {
  server = await listen({ port: 0, host: '127.0.0.1', fetch: (request) => service.fetch(request) })
  service = await startService()
  organization = await newOrganization(service)
  folder = await mkdtemp(join(tmpdir(), 'aisle-cli-'))
  key = await organization.key('administrator')
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

function importing(...line: string[]): Promise<Ended> {
  const url = `http://127.0.0.1:${server.port}`
  const child = spawn(
    process.execPath,
    ['client/src/cli/main.ts', 'import', '--url', url, ...line],
    {
      env: { ...process.env, AISLE_API_KEY: key },
    },
  )
  let output = ''
  let errors = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, output, errors }))
  })
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const CSV = 'id,name,manufacturer,shelf\n1,One,Acme,A7\n2,Two,Acme,\n,Three,Acme,\n'

describe('npm run import', () => {
  test('creates the catalog, imports the file, and reports what became of its columns and rows', async () => {
    const path = await file('three.csv', CSV)
    const first = await importing(path, '--catalog', 'new', '--create-catalog')
    expect(first.output).toContain('Catalog new created.')
    expect(first.output).toMatch(/2 created, 0 updated, 0 unchanged, 1 rejected/)
    expect(first.output).toContain('  name: name (3 values)\n')
    expect(first.output).toContain('  shelf: attribute shelf (1 value)\n')
    expect(first.output).toMatch(/lines and reasons: http/)
    expect(first.errors).toMatch(/^upload \[/)
    expect(first.errors).toMatch(/import \[#{24}\] {2}100 % {2}3 rows.*\n$/)
    expect(first.status).toBe(0)
    const again = await importing(path, '--catalog', 'new', '--create-catalog')
    expect(again.output).toMatch(/0 created, 0 updated, 2 unchanged, 1 rejected/)
    const product = await organization.call('GET /api/Catalog/new/products/2')
    expect(product.body).toMatchObject({ name: 'Two', manufacturer: 'Acme' })
  })

  test('accepts a mapping and a vendor', async () => {
    const path = await file('offers.csv', 'a;b;c\nX-1;9,50;3\n')
    const mapping = await file(
      'mapping.json',
      JSON.stringify([
        { column: 0, field: 'id' },
        { column: 1, field: 'vendor.cost' },
        { column: 2, field: 'vendor.onHand' },
      ]),
    )
    const ended = await importing(path, '--catalog', 'new', '--mapping', mapping, '--vendor', 'V')
    expect(ended.status).toBe(0)
    const product = await organization.call('GET /api/Catalog/new/products/X-1')
    expect(product.body.vendors).toMatchObject([{ vendorName: 'V', cost: 9.5, onHand: 3 }])
  })

  test('exits with 1 and one line on failure', async () => {
    const path = await file('one.csv', CSV)
    const foreign = await importing(path, '--catalog', 'nowhere')
    expect(foreign).toMatchObject({ status: 1, output: '', errors: expect.stringContaining('404') })
    const missing = await importing(join(folder, 'none.csv'), '--catalog', 'new')
    expect(missing.errors).toBe(`${join(folder, 'none.csv')} cannot be read.\n`)
    expect(missing.status).toBe(1)
    const unreadable = await importing('/proc/self/mem', '--catalog', 'new', '--type', 'csv')
    expect(unreadable.errors).toContain('/proc/self/mem cannot be read.')
    const unknown = await importing(await file('one.list', CSV), '--catalog', 'new')
    expect(unknown.errors).toContain('400: fileType: required; must be one of csv, tsv')
    const nothing = await importing(await file('bad.csv', 'id\n\u0000\n'), '--catalog', 'new')
    expect(nothing.status).toBe(1)
  })

  test('accepts every file name that the service does, and reports answers that are not from the service', async () => {
    const path = await file('list.txt', CSV)
    expect(await importing(path, '--catalog', 'new')).toMatchObject({ status: 0 })
    const proxy = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(502).end('<h1>Bad Gateway</h1>'))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const by = await importing(path, '--catalog', 'new', '--url', `http://127.0.0.1:${port}`)
    expect(by.errors).toContain(
      '502: the response is not from the service, but possibly from a proxy in front of it.',
    )
    expect(by.status).toBe(1)
    proxy.close()
  })

  test('exits with 2 and its usage for wrong arguments', async () => {
    const ended = await importing('--catalog', 'new')
    expect(ended.status).toBe(2)
    expect(ended.errors).toContain('Specify one file to import.')
    expect(ended.errors).toContain('usage: aisle import FILE')
  })
})

test('prints its usage on request, and exits with 0', async () => {
  const { status, output, errors } = await importing('--help')
  expect([status, errors]).toEqual([0, ''])
  expect(output).toMatch(/^usage: aisle import FILE/)
})
