import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpServer, listen } from '../../src/http/server.ts'
import { limits } from '../../src/limits.ts'
import { newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let server: HttpServer
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
beforeAll(async () => {
  service = await startService()
  server = await listen({ port: 0, host: '127.0.0.1', fetch: service.fetch })
})
afterAll(async () => {
  agent.destroy()
  await server.close()
})

const PATH = '/api/search/simple?catalog=none'
const headersOf = (key: string) => ({
  'x-api-version': '6.0',
  'content-type': 'application/json',
  authorization: `Bearer ${key}`,
})

/**
 * Sends a search over the shared connection; resolves with the status and the connection's local
 * port.
 */
function search(key: string, body: string): Promise<[status: number, port: number]> {
  return new Promise((resolve, reject) => {
    const options = { agent, port: server.port, method: 'POST', headers: headersOf(key) }
    const sent = request({ ...options, path: PATH }, (answer) => {
      const port = answer.socket.localPort!
      answer.resume().on('end', () => resolve([answer.statusCode!, port]))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * Occupies all places that an organization may use or wait for; returns a function that frees them.
 */
function occupy(id: string): () => Promise<unknown> {
  const { requests } = service.services
  const end = Promise.withResolvers<void>()
  const all = limits.requestPlaces + limits.organizationWaiting
  const busy = Array.from({ length: all }, () =>
    requests.run(id, () => end.promise).catch(() => undefined),
  )
  return () => {
    end.resolve()
    return Promise.all(busy)
  }
}

test('a client refused before its body is read can continue on the same connection', async () => {
  const org = await newOrganization(service)
  const key = await org.key('viewer')
  const free = occupy(org.id)
  const large = JSON.stringify({ keywords: 'x'.repeat(300_000) })
  const [refused, port] = await search(key, large)
  expect(refused).toBe(429)
  await free()
  expect(await search(key, '{}')).toEqual([404, port])
})

test('a refused client need not send the body', async () => {
  const org = await newOrganization(service)
  const headers = { ...headersOf(await org.key('viewer')), 'content-length': 1_000 }
  const free = occupy(org.id)
  const sent = request({ port: server.port, method: 'POST', path: PATH, headers, agent: false })
  sent.on('error', () => undefined).flushHeaders()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(429)
  sent.destroy()
  await free()
})

test('a search waits while there is room only for lighter requests', async () => {
  const org = await newOrganization(service)
  const key = await org.key('viewer')
  const { requests } = service.services
  const end = Promise.withResolvers<void>()
  const busy = Array.from({ length: limits.requestPlaces - 1 }, (_, at) =>
    requests.run(`other ${at}`, () => end.promise),
  )
  expect((await org.call('GET /api/Catalog/none/products/P-1')).status).toBe(404)
  const searched = search(key, '{}')
  await expect.poll(() => requests.load().waiting).toBe(1)
  end.resolve()
  expect((await searched)[0]).toBe(404)
  await Promise.all(busy)
})
