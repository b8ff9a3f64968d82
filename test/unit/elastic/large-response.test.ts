import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '@elastic/elasticsearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createElastic, type Elastic } from '../../../src/elastic/client.ts'
import { hitsLength, responseLength } from '../../../src/elastic/response-size.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { oddObjects } from '../../support/odd-objects.ts'

let answer = { status: 200, text: '' }
let elastic: Elastic
const server = createServer((incoming, outgoing) => {
  incoming.resume().on('end', () => {
    const headers = { 'x-elastic-product': 'Elasticsearch', 'content-type': 'application/json' }
    outgoing.writeHead(answer.status, headers).end(answer.text)
  })
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  elastic = createElastic({
    ...{ node: `http://127.0.0.1:${port}`, prefix: 'none' },
    ...{ shards: 1, replicas: 0 },
  })
})
afterAll(async () => {
  await elastic.client.close()
  server.close()
})

test('a large response is parsed in steps, whatever names its documents have', async () => {
  const hits = oddObjects().replaceAll('{', '{"_source":{').replaceAll('}', '}}')
  answer = { status: 200, text: `{"hits":{"hits":${hits}},"aggregations":{"a":{"value":1}}}` }
  await elastic.client.search()
  let found: Awaited<ReturnType<typeof elastic.client.search>> | undefined
  await expectStepsBelow(60, async () => {
    found = await elastic.client.search()
  })
  expect(found).toEqual(JSON.parse(answer.text))
  expect(responseLength(found!)).toBe(answer.text.length)
  expect(hitsLength(found!)).toBe(answer.text.lastIndexOf(',"aggregations"'))
})

test('a large response that is cut short or says what failed is an error', async () => {
  answer = { status: 200, text: `{"hits":{"hits":${oddObjects()}` }
  await expect(elastic.client.search()).rejects.toBeInstanceOf(errors.DeserializationError)
  answer = { status: 400, text: `{"error":{"type":"${'x'.repeat(100_000)}"},"status":400}` }
  await expect(elastic.client.search()).rejects.toMatchObject({ statusCode: 400 })
})
