import { describe, expect, test } from 'vitest'
import { CRITERION_TYPES } from '../../src/caller.ts'
import { LEVELS } from '../../src/extensions/installation.ts'
import { FILE_TYPES } from '../../src/formats/registry.ts'
import { openApiDocument } from '../../src/openapi/document.ts'
import { KEY_TYPES, REVISIONS } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { MEMBER_ROLES } from '../../src/organizations/organization.ts'
import { SORTS } from '../../src/search/request-schemas.ts'
import { TASK_STATUSES } from '../../src/tasks/schemas.ts'

/** Fields whose names say all there is to say. */
const SELF_EXPLAINING = [
  'catalog',
  'category',
  'createDate',
  'description',
  'details',
  'encoding',
  'extensionNickname',
  'extensionType',
  'field',
  'fields',
  'firstName',
  'inStock',
  'keyType',
  'lastName',
  'manufacturer',
  'message',
  'name',
  'options',
  'potentialMatchProductCount',
  'productId',
  'productsCreated',
  'productsUpdated',
  'quantity',
  'quoteChar',
  'reason',
  'recommendedProductCount',
  'role',
  'source',
  'success',
  'text',
  'time',
  'totals',
  'username',
  'value',
  'vendor',
  'workspaces',
]

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [keyword: string]: unknown
}
interface Described {
  readonly name: string
  readonly description?: string
}
interface Response {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly description?: string }>>
  readonly content: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Served {
  readonly operationId: string
  readonly parameters: readonly Described[]
  readonly requestBody?: Pick<Response, 'content'>
  readonly responses: Readonly<Record<string, Response>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Served>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const documents = Object.fromEntries(
  REVISIONS.map((revision) => {
    const document: unknown = openApiDocument({ operations, revision, base: '' })
    return [revision, document as Document]
  }),
)
const servedIn = ({ paths }: Document) => Object.values(paths).flatMap((all) => Object.values(all))
const schemasIn = (parts: readonly Pick<Response, 'content'>[]) =>
  parts.flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema ?? {}))

interface Field extends Described {
  readonly place: string
  readonly schema: Schema
}

/** The fields of a schema and of all schemas nested in it. */
function fieldsIn(schema: unknown, place: string): Field[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap((one) => fieldsIn(one, place))
  const { properties = {}, items, anyOf, additionalProperties } = schema as Schema
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const { description } = field
    const at = `${place}.${name}`
    return [
      { name, place: at, schema: field, ...(description === undefined ? {} : { description }) },
      ...fieldsIn(field, at),
    ]
  })
  return [...own, ...[items, anyOf, additionalProperties].flatMap((part) => fieldsIn(part, place))]
}

function allFields(document: Document): Field[] {
  const components = Object.entries(document.components.schemas)
  const inPlace = servedIn(document).flatMap(({ operationId, requestBody, responses }) => {
    const parts = [...Object.values(responses), ...(requestBody ? [requestBody] : [])]
    return schemasIn(parts).map((schema) => [operationId, schema] as const)
  })
  return [...components, ...inPlace].flatMap(([name, schema]) => fieldsIn(schema, name))
}

describe.each(REVISIONS)('/openapi/%s.json', (revision) => {
  const document = documents[revision]!

  test('describes each field unless its name explains it', () => {
    const silent = allFields(document).filter(
      ({ name, description }) => !description && !SELF_EXPLAINING.includes(name),
    )
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  test('describes each parameter and header', () => {
    const silent = servedIn(document).flatMap(({ operationId, parameters, responses }) => {
      const headers = Object.values(responses).flatMap((one) => Object.entries(one.headers))
      return [...parameters, ...headers.map(([name, header]) => ({ name, ...header }))]
        .filter(({ description }) => !description)
        .map(({ name }) => `${operationId} ${name}`)
    })
    expect(silent).toEqual([])
  })

  test('describes each status', () => {
    const silent = servedIn(document).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { description }]) => description.trim() === '')
        .map(([status]) => `${operationId} ${status}`),
    )
    expect(silent).toEqual([])
  })

  test('is brief, in sentences or phrases', () => {
    const said = [
      ...allFields(document),
      ...servedIn(document).flatMap(({ parameters }) => parameters),
    ].flatMap(({ description }) => (description ? [description] : []))
    const odd = said.filter((text) => text.length > 260 || !/\.$/.test(text))
    expect([...new Set(odd)]).toEqual([])
  })
})

test('every name listed as self-explanatory is needed in the list', () => {
  const silent = Object.values(documents)
    .flatMap(allFields)
    .filter(({ description }) => !description)
  const names = new Set(silent.map(({ name }) => name))
  expect(SELF_EXPLAINING.filter((name) => !names.has(name))).toEqual([])
})

/** Values that a schema allows, at any depth. */
function valuesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return []
  if (Array.isArray(schema)) return schema.flatMap(valuesIn)
  const { enum: values = [], const: value, anyOf, items } = schema as Schema
  const all = [...values, ...(value === undefined ? [] : [value]), ...valuesIn([anyOf, items])]
  return all.filter((one) => one !== '' && one !== null)
}

describe('fields with fixed values list them', () => {
  const fields = new Map(allFields(documents['6.0']!).map((field) => [field.place, field.schema]))

  test.each<[string, readonly string[]]>([
    ['FilterCriteria.type', CRITERION_TYPES],
    ['SearchRequest.sort', SORTS],
    ['Task.status', TASK_STATUSES],
    ['CallbackDelivery.status', ['pending', 'delivered', 'failed']],
    ['ExtensionInstallRequest.extensionLevel', LEVELS],
    ['InstalledExtension.extensionLevel', LEVELS],
    ['GenerateAPIKeyRequest.keyType', KEY_TYPES],
    ['SaveUserToOrganizationRequest.role', MEMBER_ROLES],
    ['ReturnPunchoutSessionRequest.format', ['json', 'cxml']],
  ])('%s', (place, values) => {
    expect(valuesIn(fields.get(place)).sort()).toEqual([...values].sort())
  })

  test('file types, which ignore case, are in the description', () => {
    const { description } = fields.get('ImportQueueRequest.fileType')!
    for (const type of FILE_TYPES) expect(description).toContain(`\`${type}\``)
  })
})
