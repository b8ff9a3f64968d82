import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ConnectionUse, leastUseful } from '../../src/http/connections.ts'
import { createTurns } from '../../src/http/request-turns.ts'
import { type HttpServer, type ListenOptions, listen } from '../../src/http/server.ts'
import { serveStaticPages } from '../../src/http/static-pages.ts'
import { limits } from '../../src/limits.ts'
import { networkOf } from '../../src/platform/outbound/addresses.ts'

let server: HttpServer
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

const start = async (options: Partial<ListenOptions> = {}) => {
  const fetch = () => new Response('here')
  server = await listen({ port: 0, host: '127.0.0.1', fetch, ...options })
}

/** Opens a connection and sends `sent`; does not read the answer until resumed. */
async function open(sent = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
  sockets.push(socket.pause())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (sent !== '') socket.write(sent)
  return socket
}

const MIB = 1024 * 1024
const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
const LAST = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
const isGone = (socket: Socket) => expect.poll(() => socket.closed).toBe(true)
/** Sends one request and stays connected; resolves after its answer. */
async function idle(localAddress?: string): Promise<Socket> {
  const socket = await open(GET, localAddress)
  await once(socket.resume(), 'data')
  return socket
}

describe('the connection to close', () => {
  const old = limits.connectionGraceMs * 10
  const rows: [string, Record<string, ConnectionUse>, string | undefined][] = [
    [
      'the connection that waits longest',
      {
        a: { does: 'waits', forMs: old, bytes: 0 },
        b: { does: 'waits', forMs: old + 1, bytes: 0 },
        c: { does: 'transfers', forMs: old * 2, bytes: 0 },
      },
      'b',
    ],
    [
      'else the slowest',
      {
        a: { does: 'transfers', forMs: old, bytes: 100 },
        b: { does: 'transfers', forMs: old * 2, bytes: 150 },
      },
      'b',
    ],
    [
      'none that is worked for, or new',
      {
        a: { does: 'working', forMs: old, bytes: 0 },
        b: { does: 'waits', forMs: 1, bytes: 0 },
        c: { does: 'transfers', forMs: 1, bytes: 0 },
      },
      undefined,
    ],
  ]
  test.each(rows)('%s', (_, uses, expected) => {
    expect(leastUseful(Object.keys(uses), (name) => uses[name]!)).toBe(expected)
  })
})

describe('pipelined requests', () => {
  test('are answered one after the other, in order', async () => {
    let under = 0
    let most = 0
    await start({
      async fetch(request) {
        most = Math.max(most, ++under)
        await new Promise(setImmediate)
        under--
        return new Response(new URL(request.url).pathname)
      },
    })
    const paths = Array.from({ length: limits.connectionRequests }, (_, i) => `/p${i}.`)
    const requests = paths.map((path) => GET.replace('/', path))
    const answer = await text(await open(`${requests.join('')}${LAST}`))
    expect(answer.match(/\/p\d+\./g)).toEqual(paths)
    expect(most).toBe(1)
  })

  test('close the connection if there are too many', async () => {
    const begun = vi.fn<() => Promise<Response>>(() => new Promise(() => undefined))
    await start({ fetch: begun })
    const socket = await open(GET.repeat(limits.connectionRequests + 2))
    await isGone(socket.resume())
    expect(begun).toHaveBeenCalledTimes(1)
  })

  test('can each have a body', async () => {
    await start({ fetch: async (request) => new Response(await request.text()) })
    const post = (body: string) =>
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const bodies = ['x'.repeat(200_000), 'second', 'y'.repeat(100_000)]
    const answer = await text(await open(`${bodies.map(post).join('')}${LAST}`))
    for (const body of bodies) expect(answer).toContain(`\r\n\r\n${body}`)
  })
})

describe('a body that continues after it was refused', () => {
  const refusal = () => new Response('no more', { status: 413, headers: { connection: 'close' } })
  const POST = `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${64 * MIB}\r\n\r\n`

  test('is not read if the answer closes the connection, and the answer arrives', async () => {
    let taken = 0
    await start({ fetch: refusal })
    const socket = await open(POST)
    const answer = text(socket).catch(() => '')
    const piece = Buffer.alloc(MIB)
    for (let i = 0; i < 64; i++) socket.write(piece, () => taken++)
    expect(await answer).toMatch(/^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*no more$/i)
    // Bytes in the buffers of both ends count as read.
    expect(taken).toBeLessThan(24)
  })

  test('keeps the connection if it had arrived already', async () => {
    await start({
      async fetch(request) {
        await request.text()
        return refusal()
      },
    })
    const post = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody'
    const answer = await text(await open(`${post}${LAST}`))
    expect(answer.match(/413 Payload Too Large/g)).toHaveLength(2)
  })
})

describe('pages', () => {
  const page = { type: 'text/plain', load: async () => new Uint8Array(16 * MIB).fill(97) }

  test('that are not read use no memory of their own', async () => {
    const app = new Hono()
    serveStaticPages(app, new Map([['/', page]]), createTurns())
    let answered = 0
    await start({
      async fetch(request) {
        const answer = await app.fetch(request)
        answered++
        return answer
      },
    })
    await text(await open(LAST))
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 20; i++) await open(GET)
    await expect.poll(() => answered).toBe(21)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB)
  })

  test('have a length, also with HEAD, and return 304 to browsers that have them', async () => {
    const app = new Hono()
    serveStaticPages(app, new Map([['/', page]]), createTurns())
    const whole = await app.request('/')
    expect((await whole.arrayBuffer()).byteLength).toBe(16 * MIB)
    const head = await app.request('/', { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(16 * MIB))
    const etag = head.headers.get('etag')!
    expect((await app.request('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('are compressed as the browser accepts, with the same ETag', async () => {
    const app = new Hono()
    serveStaticPages(app, new Map([['/', page]]), createTurns())
    const plain = await app.request('/')
    for (const encoding of ['br', 'gzip', 'zstd']) {
      const packed = await app.request('/', { headers: { 'accept-encoding': encoding } })
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'))
      const { byteLength } = await packed.arrayBuffer()
      expect(packed.headers.get('content-length')).toBe(String(byteLength))
      expect(byteLength).toBeLessThan(MIB / 8)
    }
  })

  test('that change are loaded for each request', async () => {
    const app = new Hono()
    let read = 0
    const load = async () => String(++read)
    serveStaticPages(
      app,
      new Map([['/', { type: 'text/plain', load, changes: true }]]),
      createTurns(),
    )
    const answers = [await app.request('/'), await app.request('/')]
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['1', '2'])
  })
})

describe('a connection', () => {
  test('is closed if nobody reads its answer', async () => {
    let signal: AbortSignal | undefined
    const fetch = (request: Request) => {
      signal = request.signal
      return new Response(new Uint8Array(16 * MIB))
    }
    await start({ fetch, bounds: { silentMs: 200 } })
    await open(GET)
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('with an unread answer is closed if all together exceed the limit', async () => {
    const signals: AbortSignal[] = []
    const fetch = (request: Request) => {
      signals.push(request.signal)
      return new Response(new Uint8Array(16 * MIB))
    }
    // The part of an answer in the system's buffers does not count: some MiB of each.
    await start({ fetch, bounds: { unreadBytes: 20 * MIB, connectionGraceMs: 0 } })
    for (let i = 0; i < 6; i++) await open(GET)
    await expect.poll(() => signals.some(({ aborted }) => aborted)).toBe(true)
    expect(signals.some(({ aborted }) => !aborted)).toBe(true)
  })

  test('that has been idle longest is closed at the limit of its address', async () => {
    await start({ bounds: { connectionsByAddress: 3, connectionGraceMs: 0 } })
    const held = [await idle(), await idle(), await idle()]
    const other = await idle('127.0.0.2')
    expect(await text(await open(LAST))).toContain('here')
    await isGone(held[0]!)
    expect([...held.slice(1), other].map(({ closed }) => closed)).toEqual([false, false, false])
  })

  test('that has been idle longest is closed at the total limit', async () => {
    await start({ bounds: { connections: 3, connectionGraceMs: 0 } })
    const held = [await idle(), await idle('127.0.0.2'), await idle('127.0.0.3')]
    expect(await text(await open(LAST, '127.0.0.4'))).toContain('here')
    await isGone(held[0]!)
  })

  test('that sends its body slowly is closed at the limit', async () => {
    const slow = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\na'
    const fetch = async (request: Request) => new Response(`got ${await request.text()}`)
    await start({ fetch, bounds: { connectionsByAddress: 2, connectionGraceMs: 50 } })
    const held = [(await open(slow)).resume(), (await open(slow)).resume()]
    await expect.poll(async () => text(await open(LAST))).toContain('got')
    await expect.poll(() => held.some(({ closed }) => closed)).toBe(true)
  })

  test('of a trusted proxy does not count by address', async () => {
    const proxies = [networkOf('127.0.0.0/8')!]
    await start({ proxies, bounds: { connectionsByAddress: 1, connectionGraceMs: 0 } })
    const held = [await idle(), await idle(), await idle()]
    expect(held.map(({ closed }) => closed)).toEqual([false, false, false])
  })

  test('is refused for a while to an address that repeatedly sends invalid HTTP', async () => {
    await start({ bounds: { malformedByAddress: 1 } })
    const kept = await idle()
    for (let i = 0; i < limits.rateSeconds; i++) {
      expect(await text(await open('hello\r\n\r\n'))).toContain('400 Bad Request')
    }
    expect(await text(await open(LAST))).toContain('here')
    expect(await text(await open('hello\r\n\r\n'))).toContain('400 Bad Request')
    // However much of its rate has been refilled meanwhile.
    for (let i = 0; i < limits.rateSeconds; i++) await text(await open('hello\r\n\r\n'))
    const answered = vi.fn()
    await isGone((await open(LAST)).on('data', answered).resume())
    expect(answered).not.toHaveBeenCalled()
    kept.write(LAST)
    expect(String(await once(kept, 'data'))).toContain('here')
    expect(await text(await open(LAST, '127.0.0.2'))).toContain('here')
  })

  test('of a trusted proxy is accepted, whatever came through it before', async () => {
    await start({ proxies: [networkOf('127.0.0.0/8')!], bounds: { malformedByAddress: 1 } })
    for (let i = 0; i < 5; i++) await text(await open('hello\r\n\r\n'))
    expect(await text(await open(LAST))).toContain('here')
  })
})
