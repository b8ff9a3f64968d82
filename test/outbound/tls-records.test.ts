import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutboundFailure } from '../../src/platform/outbound/failure.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'

const [key, cert] = ['key', 'certificate'].map((name) =>
  readFileSync(`test/outbound/tls/${name}.pem`, 'utf8'),
)
const LARGE = Buffer.alloc(5_000_000, 'large ')
const headOf = (length: number) =>
  `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`

let dns: DnsServer
beforeAll(async () => {
  dns = await startDnsServer()
  dns.set('vendor.example', ['127.0.0.1'])
})
afterAll(() => dns.close())

/** What is read of the answer of a server that does this after a request. */
async function bodyFrom(answer: (socket: TLSSocket) => unknown, options: TlsOptions = {}) {
  const sockets = new Set<TLSSocket>()
  const server = createServer({ key, cert, ...options }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const settings = { allow: '127.0.0.1', resolver: dns.resolver, ports: [port], ca: cert! }
  const outbound = createOutbound(settings)
  const url = `https://vendor.example:${port}/`
  try {
    const { body } = await outbound.open({ url, timeoutMs: 20_000, maxBytes: 1e9 })
    const pieces: Uint8Array[] = []
    for await (const piece of body) {
      pieces.push(piece)
      await setImmediate()
    }
    return Buffer.concat(pieces)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

const failureFrom = async (...parts: Parameters<typeof bodyFrom>) => {
  const error = await bodyFrom(...parts).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OutboundFailure)
  const { kind, cause } = error as OutboundFailure
  return { kind, cause: (cause as Error | undefined)?.message }
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('an answer over %s', (version) => {
  const options = { minVersion: version, maxVersion: version }

  test('that is large arrives as a whole, even if it is read slowly', async () => {
    const body = await bodyFrom((socket) => {
      socket.write(headOf(LARGE.length))
      socket.end(LARGE)
    }, options)
    expect(body.equals(LARGE)).toBe(true)
  })

  test('in records of one byte is cut off', async () => {
    const failure = await failureFrom((socket) => {
      const more = () => socket.destroyed || socket.write('x', more)
      socket.write(headOf(1e6), more)
    }, options)
    expect(failure.kind).toBe('tinyPieces')
  })
})

test('a server that asks for another handshake is refused', async () => {
  const failure = await failureFrom(
    (socket) => {
      socket.write(headOf(10))
      socket.renegotiate({}, () => undefined)
    },
    { maxVersion: 'TLSv1.2' },
  )
  expect(failure).toEqual({ kind: 'broken', cause: 'the server requested another TLS handshake' })
})
