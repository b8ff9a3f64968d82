import { Agent, request } from 'node:http'
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

/** Sends a search over the one connection; resolves with the status and the connection's own port. */
function search(key: string, body: string): Promise<[status: number, port: number]> {
  const headers = {
    'x-api-version': '6.0',
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
  }
  return new Promise((resolve, reject) => {
    const path = '/api/search/simple?catalog=none'
    const sent = request({ agent, port: server.port, method: 'POST', path, headers }, (answer) => {
      const port = answer.socket.localPort!
      answer.resume().on('end', () => resolve([answer.statusCode!, port]))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('who is refused before the body is read goes on with the same connection', async () => {
  const org = await newOrganization(service)
  const key = await org.key('viewer')
  const { requests } = service.services
  const end = Promise.withResolvers<void>()
  const all = limits.requestPlaces + limits.organizationWaiting
  const busy = Array.from({ length: all }, () =>
    requests.run(org.id, () => end.promise).catch(() => undefined),
  )
  const large = JSON.stringify({ keywords: 'x'.repeat(300_000) })
  const [refused, port] = await search(key, large)
  expect(refused).toBe(429)
  end.resolve()
  await Promise.all(busy)
  expect(await search(key, '{}')).toEqual([404, port])
})
