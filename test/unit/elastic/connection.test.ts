import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '@elastic/elasticsearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatheringConnection, UnsentError } from '../../../src/elastic/connection.ts'

const TEXT = JSON.stringify({ found: 'Größe' })

const server = createServer((incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url!, 'http://here')
  if (pathname === '/hang') return
  if (pathname === '/cut') return void incoming.socket.destroy()
  const pieces = Number(searchParams.get('pieces') ?? 1)
  outgoing.writeHead(200, {
    'content-type': 'application/json',
    ...(searchParams.has('declared')
      ? { 'content-length': pieces * Buffer.byteLength(TEXT) }
      : { 'transfer-encoding': 'chunked' }),
  })
  for (let piece = 0; piece < pieces; piece++) outgoing.write(TEXT)
  outgoing.end()
})
let connection: GatheringConnection
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  connection = new GatheringConnection({ url: new URL(`http://127.0.0.1:${port}`) })
})
afterAll(async () => {
  await connection.close()
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, querystring = '', more: object = {}) =>
  connection.request(
    { method: 'GET', path, querystring },
    { requestId: 1, name: 'test', context: null, ...more },
  )

test.each(['declared', ''])(
  'an answer is read as a whole, and aborted if it is too long',
  async (how) => {
    const { statusCode, headers, body } = await ask('/', `pieces=3&${how}`)
    expect([statusCode, String(body)]).toEqual([200, TEXT.repeat(3)])
    expect(headers['content-type']).toBe('application/json')
    const maxResponseSize = 3 * Buffer.byteLength(TEXT)
    await ask('/', `pieces=3&${how}`, { maxResponseSize })
    const tooLong = ask('/', `pieces=4&${how}`, { maxResponseSize })
    await expect(tooLong).rejects.toThrow('is bigger than the maximum')
    await expect(tooLong).rejects.toBeInstanceOf(errors.RequestAbortedError)
    // The connection still serves the next request.
    expect(String((await ask('/')).body)).toBe(TEXT)
  },
)

test('a cancelled request fails differently from a broken connection', async () => {
  const stop = new AbortController()
  const waiting = ask('/hang', '', { signal: stop.signal })
  setImmediate(() => stop.abort())
  await expect(waiting).rejects.toBeInstanceOf(errors.RequestAbortedError)
  const late = ask('/', '', { signal: stop.signal })
  await expect(late).rejects.toBeInstanceOf(errors.RequestAbortedError)
  const outOfTime = ask('/hang', '', { signal: AbortSignal.timeout(20) })
  await expect(outOfTime).rejects.toBeInstanceOf(errors.RequestAbortedError)
  await expect(ask('/hang', '', { timeout: 20 })).rejects.toBeInstanceOf(errors.TimeoutError)
  await expect(ask('/cut')).rejects.toBeInstanceOf(errors.ConnectionError)
})

test('a request that times out fails as if its node were down, and a node that is down received nothing', async () => {
  const before = performance.now()
  await ask('/')
  expect(connection.heardAt).toBeGreaterThanOrEqual(before)
  const waiting = ask('/hang')
  connection.giveUp()
  await expect(waiting).rejects.toBeInstanceOf(errors.ConnectionError)
  await expect(waiting).rejects.not.toBeInstanceOf(UnsentError)
  await expect(ask('/cut')).rejects.not.toBeInstanceOf(UnsentError)
  const nobody = new GatheringConnection({ url: new URL('http://127.0.0.1:1') })
  const unsent = nobody.request(
    { method: 'PUT', path: '/' },
    { requestId: 1, name: 'test', context: null },
  )
  await expect(unsent).rejects.toBeInstanceOf(UnsentError)
  await nobody.close()
})
