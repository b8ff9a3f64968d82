import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { connect, type Wire } from './http.ts'

/** The request header with the place of a `LeastRequest` in the file. */
export const PLACE = 'x-place'

/** What one request asks of Elasticsearch, and its answer. */
export interface LeastRequest {
  readonly asks: readonly (Omit<Wire, 'body'> & { readonly body?: string })[]
  readonly answer: unknown
}

/**
 * The least that a service on Hono can do: parses the request and the answers of Elasticsearch, and
 * serializes an answer as large as that of Aisle. It checks nothing, and keeps and logs nothing.
 */
async function serveLeast(file: string, node: string, port: number): Promise<void> {
  const requests = (JSON.parse(await readFile(file, 'utf8')) as LeastRequest[]).map(
    ({ asks, answer }) => ({
      asks: asks.map(
        ({ body, ...ask }): Wire => ({
          ...ask,
          ...(body === undefined ? {} : { body: Buffer.from(body) }),
        }),
      ),
      answer,
    }),
  )
  const elasticsearch = connect(node, { connections: 64 })
  const app = new Hono()
  app.all('*', async (c) => {
    const body = await c.req.text()
    if (body) JSON.parse(body)
    const { asks, answer } = requests[Number(c.req.header(PLACE))]!
    for (const ask of asks) JSON.parse((await elasticsearch.send(ask)).body.toString('utf8'))
    return c.body(JSON.stringify(answer), 200, { 'content-type': 'application/json' })
  })
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => console.info('listening at', port))
}

if (import.meta.main) {
  const [file = '', node = '', port = ''] = process.argv.slice(2)
  await serveLeast(file, node, Number(port))
}
