import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@elastic/elasticsearch'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { checkClusterSettings } from '../../src/elastic/cluster-settings.ts'
import { checkAnalysis } from '../../src/engine/analysis-check.ts'
import { refusedAction } from '../../src/engine/connection-check.ts'
import { type ElasticsearchSettings, provideElasticsearch } from '../../src/engine/provider.ts'
import { testClient } from './analyze.ts'

let server: Server | undefined
afterEach(() => new Promise((done) => (server ? server.close(done) : done(undefined))))

/** Serves something other than a suitable Elasticsearch; returns its address. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await new Promise((done) => server?.once('listening', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const elasticsearch = (status: number, body: unknown) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
    .end(JSON.stringify(body))

const provide = (settings: Partial<ElasticsearchSettings>) =>
  provideElasticsearch(
    { image: 'none', dataDir: '/nowhere', ...settings },
    { order: ['external'], say: () => {} },
  )

describe('an external Elasticsearch', () => {
  test('is used unchanged and not stopped at the end', async () => {
    const { node } = inject('elasticsearch')
    const instance = await provide({ url: node, apiKey: 'a key' })
    expect(instance).toMatchObject({ kind: 'external', node, auth: { apiKey: 'a key' } })
    await instance.stop()
    expect((await fetch(`${node}/_cluster/health`)).status).toBe(200)
  })

  test('is refused if it does not respond', async () => {
    const url = await serve((response) => response.destroy())
    server?.close()
    await expect(provide({ url })).rejects.toThrow(
      /^ELASTICSEARCH_URL http:\/\/127\.0\.0\.1:\d+ does not respond \(.*\): start Elasticsearch there, or set another URL\.$/,
    )
  })

  test('is refused with major version 8', async () => {
    const url = await serve(
      elasticsearch(200, { nodes: { a: { version: '9.1.0' }, b: { version: '8.19.2' } } }),
    )
    await expect(provide({ url })).rejects.toThrow(
      `ELASTICSEARCH_URL ${url} runs Elasticsearch 8.19.2, but version 9 or newer is required: upgrade it, or set another URL.`,
    )
  })

  test('is reported without the credentials that it refuses', async () => {
    const url = await serve(elasticsearch(401, { error: { type: 'security_exception' } }))
    const refused = provide({ url: url.replace('//', '//elastic:secret@') })
    await expect(refused).rejects.toThrow(
      `ELASTICSEARCH_URL ${url} rejects these credentials (401)`,
    )
  })

  test('is refused if it is something else', async () => {
    const url = await serve((response) => response.end('{"nodes":{}}'))
    await expect(provide({ url })).rejects.toThrow(
      `ELASTICSEARCH_URL ${url} does not respond like Elasticsearch: check the URL.`,
    )
  })

  test('requires both a name and a password', async () => {
    await expect(provide({ url: 'http://127.0.0.1:1', username: 'elastic' })).rejects.toThrow(
      'ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD must be set together',
    )
  })

  test('requires a valid certificate file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-ca-'))
    const [missing, empty] = [join(folder, 'missing.pem'), join(folder, 'empty.pem')]
    await writeFile(empty, 'no certificate')
    const url = 'https://127.0.0.1:1'
    await expect(provide({ url, caFile: missing })).rejects.toThrow(`${missing} cannot be read`)
    await expect(provide({ url, caFile: empty })).rejects.toThrow(
      `${empty} contains no certificate`,
    )
    await rm(folder, { recursive: true })
  })
})

describe('cluster settings', () => {
  const check = async (settings: object) => {
    const client = new Client({ node: await serve(elasticsearch(200, settings)) })
    await checkClusterSettings(client).finally(() => client.close())
  }
  const expensive = (allow_expensive_queries: string) => ({ search: { allow_expensive_queries } })

  test('are refused if they forbid the queries of searches', async () => {
    const settings = { persistent: expensive('false'), defaults: expensive('true') }
    await expect(check(settings)).rejects.toThrow(
      'Elasticsearch rejects queries that searches need: set search.allow_expensive_queries to true there.',
    )
  })

  test('are accepted if they now allow them, whatever lower levels say', async () => {
    await check({ transient: expensive('true'), persistent: expensive('false') })
    await check({})
    const client = testClient()
    await checkClusterSettings(client).finally(() => client.close())
  })
})

describe('a user without a privilege', () => {
  const reason = 'action [cluster:admin/analyze] is unauthorized for user [shop]'
  const refusing = elasticsearch(403, { error: { type: 'security_exception', reason } })

  test('gets the missing privilege and a pointer to the required role', async () => {
    const client = new Client({ node: await serve(refusing) })
    const error = await client.cluster.health().catch((refused: unknown) => refused)
    expect(refusedAction(error)).toBe(
      `The Elasticsearch user lacks a privilege (${reason}): assign the role in docs/operations.md to it.`,
    )
    expect(refusedAction(new Error(reason))).toBeUndefined()
    await client.close()
  })

  test('need not have the privilege to test analysis components', async () => {
    const client = new Client({ node: await serve(refusing) })
    await checkAnalysis(client, [{ analyzer: { one: { type: 'custom', tokenizer: 'none' } } }])
    await client.close()
  })
})

describe('missing analysis components', () => {
  test('are listed once each', async () => {
    const client = testClient()
    const analysis = {
      tokenizer: {
        own: { type: 'char_group', tokenize_on_chars: ['-'] },
        icu: { type: 'icu_tokenizer' },
      },
      filter: { sounds: { type: 'phonetic', encoder: 'metaphone' } },
      analyzer: {
        one: { type: 'custom', tokenizer: 'own', filter: ['lowercase', 'sounds', 'icu_folding'] },
        two: {
          type: 'custom',
          tokenizer: 'icu',
          char_filter: ['icu_normalizer'],
          filter: ['sounds'],
        },
      },
    }
    // Components of plugins are missing in the client's types.
    await expect(checkAnalysis(client, [analysis as never, analysis as never])).rejects.toThrow(
      '(token filter phonetic, token filter icu_folding, char filter icu_normalizer, tokenizer icu_tokenizer)',
    )
    await client.close()
  })
})
