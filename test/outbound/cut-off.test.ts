import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'

const outbound = createOutbound({ allow: '127.0.0.1' })
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

type Cut = (socket: Socket) => void
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const ok: Cut = (socket) => socket.write(OK)

/** Handles each connection in turn as given, once its request has arrived, and repeats the last. */
async function speaking(...each: readonly Cut[]) {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const at = sockets.size
    sockets.add(socket.on('error', () => undefined))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (!text.endsWith('ping')) return
      requests.push(text)
      ;(each[at] ?? each.at(-1)!)(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const headers = { 'webhook-id': 'call_1' }
  const request = {
    url: `http://127.0.0.1:${port}/hook?token=hush`,
    method: 'POST' as const,
    body: 'ping',
    headers,
  }
  return { requests, request: { ...request, timeoutMs: 20_000, maxBytes: 1_000 } as const }
}

const bodyOf = async (request: Parameters<typeof outbound.call>[0]) =>
  Buffer.from((await outbound.call(request)).body).toString()

describe('a connection that is closed before the first byte of the answer', () => {
  test.each<[string, Cut]>([
    ['with a FIN', (socket) => socket.end()],
    ['with a RST', (socket) => socket.resetAndDestroy()],
  ])('%s: causes the same request to be sent once more', async (_, cut) => {
    const { request, requests } = await speaking(cut, ok)
    expect(await bodyOf(request)).toBe('ok')
    expect(requests).toHaveLength(2)
    expect(requests[1]).toBe(requests[0])
  })

  test('twice is a failure', async () => {
    const { request, requests } = await speaking((socket) => socket.resetAndDestroy())
    await expect(outbound.call(request)).rejects.toMatchObject({ kind: 'broken' })
    expect(requests).toHaveLength(2)
  })
})

test('a connection that is closed during the answer is a failure, and nothing is sent again', async () => {
  const { request, requests } = await speaking((socket) => socket.end('HTTP/1.1 200 O'))
  await expect(outbound.call(request)).rejects.toMatchObject({ kind: 'broken' })
  const half = await speaking((socket) => socket.end(OK.slice(0, -1)))
  await expect(outbound.call(half.request)).rejects.toMatchObject({ kind: 'broken' })
  expect([requests.length, half.requests.length]).toEqual([1, 1])
})

test('hosts that close every few connections at any moment do not cause failures', async () => {
  let count = 0
  const server = createHttpServer(async (incoming, response) => {
    for await (const _ of incoming);
    response.end('ok')
  })
  server.on('connection', (socket: Socket) => {
    const reset = () => socket.resetAndDestroy()
    if (++count % 3 === 0) count % 2 === 0 ? setImmediate(reset) : setTimeout(reset, 1)
  })
  server.keepAliveTimeout = 1
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const request = { url: `http://127.0.0.1:${port}/`, timeoutMs: 20_000, maxBytes: 1_000 }
  for (let n = 0; n < 60; n++) {
    expect(await bodyOf({ ...request, method: 'POST', body: 'ping' })).toBe('ok')
  }
})

test('requests do not ask for the connection to be closed, which could lose an early answer', async () => {
  const { request, requests } = await speaking(ok)
  expect(await bodyOf(request)).toBe('ok')
  expect(requests[0]).not.toMatch(/^connection: close/im)
})

describe('the operator’s log', () => {
  const logged = () => {
    const lines: Record<string, unknown>[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)))
        done()
      },
    })
    return { lines, outbound: createOutbound({ allow: '127.0.0.1', log: pino(stream) }) }
  }

  test('contains the cause of a failure and the purpose of the call, but no secrets', async () => {
    const { request } = await speaking((socket) => socket.resetAndDestroy())
    const { lines, outbound } = logged()
    const basic = { username: 'ada', password: 'canary-pw' }
    const about = { requestId: 'r-1', extension: 'e-1' }
    await expect(outbound.call({ ...request, basic, about })).rejects.toThrow()
    expect(lines).toMatchObject([
      {
        msg: 'outbound call failed',
        requestId: 'r-1',
        extension: 'e-1',
        host: new URL(request.url).host,
        kind: 'broken',
        code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/),
      },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/canary|hush|ping|webhook/)
  })

  test('contains what an address resolves to, which the caller does not learn', async () => {
    const { lines, outbound } = logged()
    const limits = { timeoutMs: 20_000, maxBytes: 10 }
    for (const url of ['http://10.1.2.3/', 'http://127.0.0.1:1/']) {
      await expect(outbound.call({ url, ...limits })).rejects.toThrow(
        'The address cannot be reached or is not allowed.',
      )
    }
    expect(lines).toMatchObject([
      { host: '10.1.2.3', cause: expect.stringContaining('OUTBOUND_ALLOW') },
      { host: '127.0.0.1:1', code: 'ECONNREFUSED' },
    ])
  })

  test('contains missed deadlines, but not calls that the caller aborted', async () => {
    const { request } = await speaking(() => undefined)
    const { lines, outbound } = logged()
    const late = outbound.call({ ...request, signal: AbortSignal.timeout(50) })
    await expect(late).rejects.toThrow(/timeout/)
    const controller = new AbortController()
    const dropped = outbound.call({ ...request, signal: controller.signal })
    controller.abort()
    await expect(dropped).rejects.toThrow(/aborted/)
    expect(lines).toMatchObject([{ kind: 'late' }])
  })
})
