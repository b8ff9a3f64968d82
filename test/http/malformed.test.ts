import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpServer, listen } from '../../src/http/server.ts'
import { limitSmallChunks } from '../../src/http/small-chunks.ts'
import { limits } from '../../src/limits.ts'

let server: HttpServer
/** A server with a short timeout for headers. */
let impatient: HttpServer
beforeAll(async () => {
  const start = (bounds = {}) =>
    listen({
      port: 0,
      host: '127.0.0.1',
      fetch: async (request) => new Response(await request.text()),
      bounds,
    })
  ;[server, impatient] = [await start(), await start({ headersMs: 300 })]
})
afterAll(() => Promise.all([server.close(), impatient.close()]))

const POST = 'POST / HTTP/1.1\r\nhost: a\r\n'
const ROWS: [string, string, number][] = [
  ['a line that is no request', 'hello\r\n\r\n', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n', 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
  ['a host that is too long', `GET / HTTP/1.1\r\nhost: ${'%E4%B8%80'.repeat(99)}\r\n\r\n`, 400],
  ['one in the address', `GET http://${'\u00e4'.repeat(400)}/ HTTP/1.1\r\n\r\n`, 400],
  ['two hosts', 'GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n', 400],
  ['a coding besides chunks', `${POST}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a length that is no number', `${POST}content-length: ten\r\n\r\n`, 400],
  ['two lengths', `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\na`, 400],
  ['a length and chunks', `${POST}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`, 400],
  ['a chunk without a length', `${POST}transfer-encoding: chunked\r\n\r\nxyz\r\n`, 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n`, 431],
  ['an address that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`, 431],
  ['headers that do not end', 'GET / HTTP/1.1\r\nhost: a\r\n', 408],
  ['an expectation', `${POST}expect: gold\r\n\r\n`, 417],
  [
    'a body in tiny pieces',
    `${POST}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(600)}`,
    400,
  ],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n', 405],
]

test.each(ROWS)('%s is answered like any other failure', async (_, sent, status) => {
  const socket = connect((status === 408 ? impatient : server).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(sent)
  const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string]
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} \\w`))
  expect(head).toMatch(/^x-request-id: [0-9a-f-]{36}$/im)
  expect(head).toMatch(/^api-supported-versions: 1.0, 6.0$/im)
  expect(head).toMatch(/^content-type: application\/json$/im)
  expect(head).toMatch(/^connection: close$/im)
  expect(JSON.parse(body)).toEqual({
    success: false,
    message: expect.stringMatching(/\.$/),
    id: null,
    taskId: null,
  })
})

test.each([
  ['expectations', 'GET / HTTP/1.1\r\nExpect:x\r\n\r\n'],
  ['pipelined requests', 'GET / HTTP/1.1\r\nHost:a\r\n\r\n'],
])('of thousands of %s that arrive together only the first are read', async (_, request) => {
  let read = 0
  const count = () => read++
  subscribe('http.server.request.start', count)
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  const closed = new Promise((resolve) => socket.resume().on('close', resolve))
  socket.write(request.repeat(2_000))
  await closed
  unsubscribe('http.server.request.start', count)
  expect(read).toBeLessThanOrEqual(limits.connectionRequests + 2)
})

test('an unread body cannot go on endlessly in tiny pieces', async () => {
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  // Unlike once(), this does not fail if a piece is written to the closed connection first.
  const ended = new Promise((resolve) => socket.on('close', resolve))
  socket.write('GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n')
  await once(socket, 'data')
  const more = setInterval(() => socket.write('1\r\nx\r\n'.repeat(200)), 5)
  await ended
  clearInterval(more)
})

test('tiny pieces that arrive after the refusal are not processed', async () => {
  let looked = 0
  const refused = Promise.withResolvers<void>()
  const plain = createServer((request, response) => {
    limitSmallChunks(request, () => {
      request.socket.destroy()
      refused.resolve()
    })
    const push = request.push.bind(request)
    request.push = (piece, encoding) => {
      if (piece) looked++
      return push(piece, encoding)
    }
    request.pipe(response)
  })
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const { port } = plain.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const closed = once(socket.resume(), 'close')
  socket.write(`${POST}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(5_000)}`)
  await refused.promise
  await closed
  expect(looked).toBeLessThan(2 * limits.bodyPieces)
  // The parser of that connection is reused.
  for (let i = 0; i < 3; i++) {
    const body = `body ${i}`
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    expect(await answer.text()).toBe(body)
  }
  plain.close()
})
