import '@hyperjump/json-schema/formats'
import { registerSchema, type Validator, validate } from '@hyperjump/json-schema/draft-2020-12'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { openApiDocument } from '../../src/openapi/document.ts'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { type Components, type Schema, valuesOf, wordOf } from './requests.ts'
import { seedExamples } from './seed.ts'

const RUNS = 8
const SEED = 20_260_115
/** Deletions of things that other requests need are left out. */
const NEEDED = /\/(Catalog\/\{catalog\}|products\/\{id\}|workspaces\/\{workspace\})$/
const INTERNAL =
  /node_modules|\.ts:\d|\bat \w+ \(|file:\/\/|TypeError|RangeError|_exception\b|illegal_argument/

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
  readonly example?: unknown
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
interface Described {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Components }
}

let service: TestService
let organization: string
let key: string
beforeAll(async () => {
  service = await startService()
  const made = await newOrganization(service)
  organization = made.id
  key = await made.key('administrator')
  await seedExamples(service, made)
})

describe.each(REVISIONS)('requests generated from /openapi/%s.json', (revision) => {
  const document = openApiDocument({ operations, revision, base: '' }) as unknown as Document
  const validatorOf = validatorsOf(document.components.schemas, revision)
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )

  test.each(rows)('$method $path', async ({ path, method, described }) => {
    const requests = requestOf({ path, method, described }, document.components.schemas)
    await fc.assert(
      fc.asyncProperty(requests, async ({ line, body }) => {
        const answer = await service.fetch(
          new Request(`http://localhost${line}`, {
            method: method.toUpperCase(),
            headers: {
              authorization: `Bearer ${key}`,
              'x-organization': organization,
              'x-api-version': revision,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        )
        const text = await answer.text()
        const { status } = answer
        // An odd value may change the segments of a path, which is then another one.
        if (status === 404 && text.includes('Path not found')) return
        expect([...Object.keys(described.responses)], `${status}: ${text}`).toContain(`${status}`)
        expect(text).not.toMatch(INTERNAL)
        expect(text).not.toContain(inject('indexPrefix'))
        const [mediaType = ''] = answer.headers.get('content-type')?.split(';') ?? []
        const schema = described.responses[status]?.content[mediaType]?.schema
        if (!schema || mediaType !== 'application/json') return
        const isValid = await validatorOf(schema)
        expect([text, isValid(JSON.parse(text)).valid]).toEqual([text, true])
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
})

/** Compiles validators for a document's schemas lazily, since most failures share one. */
function validatorsOf($defs: Components, revision: string) {
  const address = `https://aisle.test/${revision}`
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const register = (schema: object, at: string, definitions: string) =>
    registerSchema(
      JSON.parse(
        JSON.stringify({ $schema, ...schema }).replaceAll(
          '"#/components/schemas/',
          `"${definitions}#/$defs/`,
        ),
      ),
      at,
    )
  register({ $defs }, address, '')
  const validators = new Map<string, Promise<Validator>>()
  return (schema: Schema): Promise<Validator> => {
    const text = JSON.stringify(schema)
    const known = validators.get(text)
    if (known) return known
    const at = `${address}/${validators.size}`
    register(schema, at, address)
    const made = validate(at)
    validators.set(text, made)
    return made
  }
}

interface Row {
  readonly path: string
  readonly method: string
  readonly described: Described
}

function requestOf({ path, method, described }: Row, components: Components) {
  const { parameters, requestBody } = described
  const isNeeded = method === 'delete' && NEEDED.test(path)
  const wordFor = ({ example, schema }: Parameter) =>
    wordOf(isNeeded ? 'gone' : example, schema, components)
  const words = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters.filter((one) => one.in === place).map((one) => [one.name, wordFor(one)]),
      ),
      place === 'query' ? { requiredKeys: [] } : {},
    ) as fc.Arbitrary<Record<string, string>>
  const schema = requestBody?.content['application/json']?.schema
  return fc
    .record({
      segments: words('path'),
      query: words('query'),
      body: schema ? valuesOf(schema, components) : fc.constant(undefined),
    })
    .map(({ segments, query, body }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => encoded(segments[name]!))
      const text = new URLSearchParams(query).toString()
      return { line: text === '' ? filled : `${filled}?${text}`, body }
    })
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
