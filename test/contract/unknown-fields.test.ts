import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/openapi/document.ts'
import { REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { type KnownFields, knownFields } from '../../src/platform/known-fields.ts'
import type { Answer } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { cases } from './contracts.ts'
import { outside } from './outside.ts'
import { failed, prepare, send, weakest } from './send.ts'
import { newWorld, type World } from './world.ts'

const UNKNOWN = 'zzUnknown'
/** Objects whose field names are chosen by the caller. */
const FREE = ['attributes', 'facets', 'filters', 'additionalData', 'additionalFields']

let world: World
beforeAll(async () => {
  world = await newWorld(await startService({ outbound: outside }))
})

/** The table "What passes unread" of docs/interface.md: operation, and fields or parameters. */
const documented = new Map(
  readFileSync('docs/interface.md', 'utf8')
    .split('\n### What passes unread\n')[1]!
    .split('\n#')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (operation|-)/.test(line))
    .flatMap((line) => {
      const [, names = '', fields = ''] = line.split('|')
      const passing = [...fields.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
      const what = /any query parameter/.test(fields) ? ['any query parameter'] : passing
      return names.split(',').map((name) => [name.trim(), what.toSorted()] as const)
    }),
)

/** Paths of the parts of a body that are not read, such as `vendors.checkedAt`. */
function unreadIn(known: KnownFields, path = ''): string[] {
  if (known === null) return []
  if (known.kind !== 'object') return unreadIn(known.each, path)
  if (known.unread === 'any') return [`${path}any`]
  const inner = [...known.fields].flatMap(([name, field]) => unreadIn(field, `${path}${name}.`))
  return [...[...known.unread].map((name) => `${path}${name}`), ...inner]
}

function passingOf({ bindings }: (typeof operations)[number]): string[] {
  const names = Object.values(bindings).flatMap(({ body, query }) => {
    const parameters = query ? unreadIn(knownFields(query)) : []
    return [
      ...(body && body !== 'stream' ? unreadIn(knownFields(body)) : []),
      ...parameters.map((name) => `${name} query parameter`),
    ]
  })
  return [...new Set(names)].sort()
}

test('docs/interface.md lists the fields that are ignored', () => {
  const passing = operations
    .map((operation) => [operation.name, passingOf(operation)] as const)
    .filter(([, names]) => names.length > 0)
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(passing))
})

/** Copies of a body, each with an unknown field in another of its objects, and the place of it. */
function* spoiled(value: unknown, place = ''): Generator<[place: string, copy: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [at, copy] of spoiled(item, `${place}[${index}]`)) {
        yield [at, value.with(index, copy)]
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    yield [`${place}${place && '.'}${UNKNOWN}`, { ...value, [UNKNOWN]: 1 }]
    for (const [name, item] of Object.entries(value)) {
      if (FREE.includes(name) && !Array.isArray(item)) continue
      for (const [at, copy] of spoiled(item, `${place}${place && '.'}${name}`)) {
        yield [at, { ...value, [name]: copy }]
      }
    }
  }
}

describe.each(cases.map((one) => [one.title, one] as const))('%s', (_, one) => {
  const { contract, operation, binding } = one
  if (!contract) return

  test('refuses unknown query parameters, and unknown fields at any depth of its body', async () => {
    const sent = await prepare(contract.ok, world, weakest(operation))
    const asked = await send(one, { ...sent, query: { ...sent.query, [UNKNOWN]: '1' } }, { world })
    if (documented.get(operation.name)?.includes('any query parameter')) {
      expect(asked.status).toBe(200)
    } else {
      failed(one, asked, 400)
      expect(asked.body.message).toMatch(/^zzUnknown: unknown query parameter; /)
    }
    if (!binding.body || binding.body === 'stream') return
    for (const [place, body] of spoiled(sent.body ?? {})) {
      const answer = await send(one, { ...sent, body }, { world })
      const { status, message, inside } = refusalOf(place, answer)
      expect([place, status]).toEqual([place, 400])
      expect(message).toContain(`${inside}: unknown field; `)
    }
  })
})

/** The refused field and its place; in a request of several searches each is refused separately. */
function refusalOf(place: string, { status, body }: Answer) {
  const [, at, inside] = /^requests\[(\d+)\]\.(.*)$/.exec(place) ?? []
  const result = at === undefined ? undefined : body.results?.[at]
  if (!result) return { status, message: body.message, inside: place }
  return { status: result.status, message: result.error, inside }
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: unknown
  readonly [keyword: string]: unknown
}

/** Objects of a schema that do not declare their fields. */
function openIn(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one) => openIn(one, place))
  const { type, additionalProperties, properties = {}, items, anyOf } = schema as Schema
  const isOpen = type === 'object' && additionalProperties === undefined
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(properties).flatMap(([name, one]) => openIn(one, `${place}.${name}`)),
    ...[items, anyOf].flatMap((one) => openIn(one, place)),
  ]
}

test.each(REVISIONS)(
  '/openapi/%s.json describes the fields of each object in a request',
  (revision) => {
    const document = openApiDocument({ operations, revision, base: '' }) as unknown as {
      paths: Record<string, Record<string, { operationId: string; requestBody?: Schema }>>
      components: { schemas: Record<string, Schema> }
    }
    const bodies = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, requestBody }) => {
        const { content } = (requestBody ?? {}) as { content?: Record<string, { schema: Schema }> }
        const schema = content?.['application/json']?.schema
        return schema ? openIn(schema, operationId) : []
      }),
    )
    expect(bodies).toEqual([])
    const components = Object.entries(document.components.schemas)
    expect(components.flatMap(([name, schema]) => openIn(schema, name))).toEqual([])
  },
)
