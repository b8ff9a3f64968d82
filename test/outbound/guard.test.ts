import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OutboundFailure } from '../../src/platform/outbound/failure.ts'
import { createOutbound, type OutboundSettings } from '../../src/platform/outbound/outbound.ts'
import { type Canary, startCanary } from '../support/connection-counter.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { INSIDE, INSIDE_ADDRESSES } from './spellings.ts'

const UNREACHABLE = 'The address cannot be reached or is not allowed.'

let canary: Canary
let dns: DnsServer
beforeAll(async () => {
  canary = await startCanary((request, response) => response.end(`for ${request.headers.host}`))
  dns = await startDnsServer()
})
afterAll(async () => {
  await canary.close()
  dns.close()
})

/** The canary's port is allowed like 80, so that only the address decides. */
const outboundWith = (settings: OutboundSettings = {}) =>
  createOutbound({
    resolver: dns.resolver,
    ports: [canary.port],
    times: { connectMs: 300 },
    ...settings,
  })

const request = (host: string) => ({
  url: `http://${host}:${canary.port}/`,
  timeoutMs: 2_000,
  maxBytes: 1_000,
})

const textOf = (body: Uint8Array) => Buffer.from(body).toString()
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => {
      expect(error).toBeInstanceOf(OutboundFailure)
      return (error as Error).message
    },
  )

describe('no internal address is connected to', () => {
  let before: number
  beforeEach(() => {
    before = canary.connections()
  })

  test('in any spelling', async () => {
    const outbound = outboundWith()
    const reasons = await Promise.all(INSIDE.map((host) => reasonOf(outbound.call(request(host)))))
    expect(new Set(reasons)).toEqual(new Set([UNREACHABLE]))
    expect(canary.connections()).toBe(before)
  })

  test('through a name that resolves to it, alone or with a public address', async () => {
    const outbound = outboundWith()
    for (const [index, address] of INSIDE_ADDRESSES.entries()) {
      dns.set(`only-${index}.example`, [address])
      dns.set(`mixed-${index}.example`, ['93.184.216.34', '2606:4700:4700::1111', address])
      expect(await reasonOf(outbound.call(request(`only-${index}.example`)))).toBe(UNREACHABLE)
      expect(await reasonOf(outbound.call(request(`mixed-${index}.example`)))).toBe(UNREACHABLE)
      expect(dns.questions(`mixed-${index}.example`)).toBe(2)
    }
    expect(canary.connections()).toBe(before)
  })

  test('through a name with more addresses than any real one, which are not even compared', async () => {
    const many = Array.from({ length: 65 }, (_, at) => `127.0.0.${at + 1}`)
    dns.set('many.example', many)
    dns.set('some.example', many.slice(1))
    const outbound = outboundWith({ allow: '127.0.0.0/8' })
    expect(await reasonOf(outbound.call(request('many.example')))).toBe(UNREACHABLE)
    expect(canary.connections()).toBe(before)
    expect(await reasonOf(outbound.call(request('some.example')))).not.toBe(UNREACHABLE)
  })

  test('through a name that is public at first and internal when resolved again', async () => {
    const outbound = outboundWith({ times: { connectMs: 100 } })
    dns.set('flip.example', ['192.0.3.1'], ['127.0.0.1', '::1'])
    expect(await reasonOf(outbound.call(request('flip.example')))).toBe(UNREACHABLE)
    // One query of each type: connecting did not resolve the name again.
    expect(dns.questions('flip.example')).toBe(2)
    expect(await reasonOf(outbound.call(request('flip.example')))).toBe(UNREACHABLE)
    expect(canary.connections()).toBe(before)
  })

  test('through a proxy from the environment', async () => {
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${canary.port}`)
    vi.stubEnv('http_proxy', `http://127.0.0.1:${canary.port}`)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    dns.set('public.example', ['192.0.3.1'])
    const outbound = outboundWith({ times: { connectMs: 100 } })
    expect(await reasonOf(outbound.call(request('public.example')))).toBe(UNREACHABLE)
    vi.unstubAllEnvs()
    expect(canary.connections()).toBe(before)
  })

  test('and error messages do not reveal what exists there', async () => {
    const outbound = outboundWith({ allow: 'closed.example,192.0.3.0/24' })
    dns.set('silent.example', ['192.0.3.1'])
    dns.set('empty.example', [])
    dns.mute('mute.example')
    const closed = { ...request('127.0.0.1'), url: 'http://127.0.0.1:1/' }
    const reasons = [
      outbound.call(request('silent.example')),
      outbound.call(request('empty.example')),
      outbound.call(request('unknown.example')),
      outbound.call(request('mute.example')),
      outbound.call(request('127.0.0.1')),
      createOutbound({ allow: '127.0.0.1' }).call(closed),
      outbound.call({ ...request('x'), url: 'ftp://example.com' }),
    ].map(reasonOf)
    expect(await Promise.all(reasons)).toEqual(reasons.map(() => UNREACHABLE))
    expect(canary.connections()).toBe(before)
  })
})

describe('addresses that the operator allows', () => {
  test('can be called by address, by network and by name', async () => {
    dns.set('inside.example', ['127.0.0.3'])
    const cases: [string, string][] = [
      ['127.0.0.1', '127.0.0.1'],
      ['127.0.0.0/8', '127.0.0.1'],
      ['127.0.0.0/8', '2130706433'],
      ['127.0.0.0/8', '[::ffff:127.0.0.1]'],
      ['::1', '[::1]'],
      ['localhost', 'localhost'],
      [`localhost:${canary.port}`, 'localhost.'],
      ['127.0.0.0/8', 'inside.example'],
    ]
    for (const [allow, host] of cases) {
      const { status, body } = await outboundWith({ allow }).call(request(host))
      expect([status, textOf(body)]).toEqual([200, expect.stringMatching(/^for /)])
    }
  })

  test('are connected to at the resolved address, under their own name', async () => {
    dns.set('rebound.example', ['127.0.0.4'], ['127.0.0.5'])
    const outbound = outboundWith({ allow: '127.0.0.4' })
    const answer = await outbound.call(request('rebound.example'))
    expect(textOf(answer.body)).toBe(`for rebound.example:${canary.port}`)
    expect(canary.addresses().at(-1)).toBe('::ffff:127.0.0.4')
    expect(await reasonOf(outbound.call(request('rebound.example')))).toBe(UNREACHABLE)
  })

  test('are tried one after the other if the first does not respond', async () => {
    dns.set('two.example', ['192.0.3.1', '127.0.0.6'])
    const outbound = outboundWith({ allow: '127.0.0.0/8', times: { connectMs: 100 } })
    expect((await outbound.call(request('two.example'))).status).toBe(200)
    expect(canary.addresses().at(-1)).toBe('::ffff:127.0.0.6')
  })
})

describe('TLS', () => {
  /** Starts a server, named vendor.example, that answers with the name by which it was called. */
  async function startSecureServer(options: SecureContextOptions = {}) {
    const [key, cert] = await Promise.all(
      ['key', 'certificate'].map((name) => readFile(`test/outbound/tls/${name}.pem`, 'utf8')),
    )
    const server = createServer({ key: key!, cert: cert!, ...options }, (request, response) => {
      const { servername } = request.socket as unknown as { servername: string | false }
      response.end(`for ${servername}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    dns.set('vendor.example', ['127.0.0.1'])
    dns.set('other.example', ['127.0.0.1'])
    const settings = { allow: '127.0.0.0/8', resolver: dns.resolver, ports: [port] }
    const trusting = createOutbound({ ...settings, ca: cert! })
    const callOf = (host: string, outbound = trusting) =>
      outbound.call({ url: `https://${host}:${port}/`, timeoutMs: 2_000, maxBytes: 99 })
    const close = () => {
      server.close()
      server.closeAllConnections()
    }
    return { settings, callOf, close }
  }

  test('certificates are requested and verified by name, not by address', async () => {
    const { settings, callOf, close } = await startSecureServer()
    try {
      expect(textOf((await callOf('vendor.example')).body)).toBe('for vendor.example')
      expect(await reasonOf(callOf('other.example'))).toBe(UNREACHABLE)
      expect(await reasonOf(callOf('127.0.0.1'))).toBe(UNREACHABLE)
      expect(await reasonOf(callOf('vendor.example', createOutbound(settings)))).toBe(UNREACHABLE)
    } finally {
      close()
    }
  })

  test.each([
    ['DHE-RSA-AES128-GCM-SHA256', UNREACHABLE],
    ['ECDHE-RSA-AES128-GCM-SHA256', 'answered'],
  ])('a server that only knows %s: %s', async (ciphers, outcome) => {
    const { callOf, close } = await startSecureServer({
      ciphers,
      dhparam: 'auto',
      maxVersion: 'TLSv1.2',
    })
    try {
      expect(await reasonOf(callOf('vendor.example'))).toBe(outcome)
    } finally {
      close()
    }
  })
})
