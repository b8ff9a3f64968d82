import { type OutputUnit, validate } from '@hyperjump/json-schema/openapi-3-1'
import { beforeAll, describe, expect, test } from 'vitest'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { caller } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

interface Described {
  readonly operationId: string
  readonly responses: Record<string, { content: Record<string, { example?: unknown }> }>
  readonly requestBody?: { content: Record<string, { example?: unknown }> }
  readonly security: readonly object[]
}
type Paths = Record<string, Record<string, Described>>

let service: TestService
beforeAll(async () => {
  service = await startService()
})

const read = async (revision: string, headers: Record<string, string> = {}) =>
  caller(service, { version: null, headers })(`GET /openapi/${revision}.json`)

const placesOf = (paths: Paths) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

describe.each(REVISIONS)('/openapi/%s.json', (revision) => {
  test('is valid OpenAPI 3.1, including its schemas', async () => {
    const { body } = await read(revision)
    const schema = 'https://spec.openapis.org/oas/3.1/schema-base'
    const { valid, errors = [] } = (await validate(schema, body, 'BASIC')) as OutputUnit
    expect(errors.map(({ instanceLocation }) => instanceLocation)).toEqual([])
    expect(valid).toBe(true)
  })

  test('suits client generators: references stand alone, and no answer is a constant boolean', async () => {
    const { body } = await read(revision)
    const crowded: string[] = []
    const look = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return
      const others = Object.keys(value).filter((name) => !['$ref', 'description'].includes(name))
      if ('$ref' in value && others.length > 0) crowded.push(place)
      for (const [name, one] of Object.entries(value)) look(one, `${place}/${name}`)
    }
    look(body.components.schemas, '')
    expect(crowded).toEqual([])
    const schemas = Object.entries<{ const?: unknown }>(body.components.schemas)
    expect(schemas.filter(([, one]) => typeof one.const === 'boolean')).toEqual([])
  })

  test('describes every operation that is served, and no others', async () => {
    const served = operations.flatMap(({ bindings }) => {
      const binding = bindings[revision] ?? bindings.any
      return binding ? [`${binding.method} ${binding.path.replace(/:(\w+)/g, '{$1}')}`] : []
    })
    const { paths } = (await read(revision)).body
    expect(placesOf(paths).sort()).toEqual(served.sort())
  })

  test('describes only mounted paths', async () => {
    const { paths } = (await read(revision)).body
    const call = caller(service, { version: revision })
    for (const place of placesOf(paths)) {
      const answer = await call(place.replace(/\{\w+\}/g, 'x'))
      expect([place, answer.status]).not.toEqual([place, 405])
      expect([place, answer.body.message]).not.toEqual([place, 'Path not found.'])
    }
  })

  test('has no dangling references and no unused components', async () => {
    const { body } = await read(revision)
    const text = JSON.stringify(body)
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual(Object.keys(body.components.schemas).sort())
    expect(text).not.toContain('$defs')
  })

  test('has examples of all JSON requests and answers', async () => {
    const paths: Paths = (await read(revision)).body.paths
    const without = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ requestBody, responses }) =>
        [requestBody, responses['200']].some(
          (part) =>
            part?.content['application/json'] &&
            part.content['application/json'].example === undefined,
        ),
      )
    expect(without.map(({ operationId }) => operationId)).toEqual([])
  })

  test('has a unique name for every operation', async () => {
    const paths: Paths = (await read(revision)).body.paths
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(ids.toSorted()).toEqual([...new Set(ids)].sort())
  })

  test('is available without key and version, and cacheable', async () => {
    const first = await read(revision)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    const etag = first.headers.get('etag')!
    const again = await read(revision, { 'if-none-match': etag, 'x-api-version': '6.0' })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
  })
})

test('other methods and other documents are refused', async () => {
  const call = caller(service, { version: null })
  const posted = await call('POST /openapi/6.0.json')
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await call('HEAD /docs')).status).toBe(200)
  for (const path of ['/openapi/2.0.json', '/docs/swagger-ui.js', '/docs/..%2fpackage.json']) {
    expect([path, (await call(`GET ${path}`)).status]).toEqual([path, 404])
  }
})

test('/ links to the documents and the guides, all of which exist', async () => {
  const call = caller(service, { version: null })
  const { status, headers, body } = await call('GET /')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const links = [...String(body).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
  expect(links).toEqual(expect.arrayContaining(['docs', 'openapi/6.0.json', 'docs/interface.md']))
  for (const link of links) {
    expect([link, (await call(`GET /${link}`)).status]).toEqual([link, 200])
  }
})
