import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { estypes } from '@elastic/elasticsearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testClient, tokensOf } from './analyze.ts'
import { EXPECTED } from './expected-tokens.ts'

const FOLDER = 'index-mappings'
const client = testClient()

const kinds = readdirSync(FOLDER).map((file) => {
  const { settings } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
  const analysis: estypes.IndicesIndexSettingsAnalysis = settings?.analysis ?? {}
  return { kind: file.replace('.json', ''), analysis }
})

/** Keys of the table, such as `products analyzer words`. */
const defined = kinds.flatMap(({ kind, analysis }) => [
  ...Object.keys(analysis.analyzer ?? {}).map((name) => `${kind} analyzer ${name}`),
  ...Object.keys(analysis.normalizer ?? {}).map((name) => `${kind} normalizer ${name}`),
])

describe('analyzers and normalizers of index-mappings', () => {
  const prefix = `test-analyzers-${randomUUID()}`

  beforeAll(async () => {
    for (const { kind, analysis } of kinds) {
      const settings = { number_of_shards: 1, number_of_replicas: 0, analysis }
      await client.indices.create({ index: `${prefix}-${kind}`, settings })
    }
  })

  afterAll(async () => {
    for (const { kind } of kinds) await client.indices.delete({ index: `${prefix}-${kind}` })
    await client.close()
  })

  test('are all in the table, which lists no others', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(defined.sort())
  })

  for (const [key, rows] of Object.entries(EXPECTED)) {
    test.each(Object.entries(rows))(`${key}: %s`, async (text, tokens) => {
      const [kind, part, name] = key.split(' ')
      const request = { index: `${prefix}-${kind}`, [part!]: name, text }
      expect(await tokensOf(client, request)).toBe(tokens)
    })
  }
})
