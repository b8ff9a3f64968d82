import { limits } from '../limits.ts'
import type { Binding, Operation, Revision } from '../operation.ts'
import { type Example, readExamples } from './examples.ts'
import { parametersOf, type ServedOperation } from './parameters.ts'
import { responsesOf } from './responses.ts'
import { createSchemas, type JsonSchema, type Schemas } from './schemas.ts'

export interface DocumentOptions {
  readonly operations: readonly Operation[]
  readonly revision: Revision
  /** The path of the service, without a slash at its end. */
  readonly base: string
}

/** An OpenAPI 3.1 document. */
export type OpenApi = Readonly<Record<string, unknown>>

const ABOUT = `A search service for product catalogs with offers of many vendors, separated by organization.

Methods that a path does not support return 405 with the header \`allow\`. Omitted, \`null\` and empty
fields mean the same, except in updates, where \`null\` clears a field and an omitted field is left
unchanged. Requests with unknown fields or query parameters are rejected. Times are in ISO 8601 format
and UTC.`

/** Describes every operation that a revision serves. */
export function openApiDocument({ operations, revision, base }: DocumentOptions): OpenApi {
  const schemas = createSchemas()
  const examples = readExamples()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const served = operation.bindings[revision] ? revision : 'any'
    const binding = operation.bindings[served]
    if (!binding) continue
    const path = binding.path.replace(/:(\w+)/g, '{$1}')
    const example = examples[`${operation.name} ${served}`]
    paths[path] = {
      ...paths[path],
      [binding.method.toLowerCase()]: described({ operation, binding, revision, example }, schemas),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Aisle', version: revision, description: ABOUT, license: LICENSE },
    servers: [{ url: base || '/' }],
    tags: tagsOf(Object.keys(paths)).map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, securitySchemes: SECURITY },
  }
}

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const SECURITY = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'API key in the header `authorization: Bearer <key>`, or the token (JWT) of a user who signed in.',
  },
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'API key without the `Bearer` prefix.',
  },
}

function described(served: ServedOperation, schemas: Schemas) {
  const { operation, binding, example } = served
  const id = pascalCase(operation.name)
  return {
    operationId: id[0]!.toLowerCase() + id.slice(1),
    summary: operation.name,
    description: `${operation.summary}\n\n${whoMayCall(operation)}`,
    tags: [tagOf(binding.path)],
    security: operation.access === 'public' ? [] : [{ bearer: [] }, { key: [] }],
    parameters: parametersOf(served, schemas),
    ...(binding.body && { requestBody: requestBody(binding, `${id}Request`, schemas, example) }),
    responses: responsesOf(served, id, schemas),
  }
}

const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function requestBody(
  binding: Binding<never, never>,
  name: string,
  schemas: Schemas,
  example: Example | undefined,
) {
  if (binding.body === 'stream') {
    const schema: JsonSchema = { type: 'string', format: 'binary' }
    return {
      description: `Up to ${limits.fileBytes} bytes.`,
      required: true,
      content: { 'application/octet-stream': { schema } },
    }
  }
  const shown = example?.body
  return {
    description: `Up to ${binding.bodyBytes ?? limits.bodyBytes} bytes and ${limits.jsonDepth} levels of nesting.`,
    required: !binding.bodyOptional,
    content: {
      'application/json': {
        schema: schemas.input(binding.body!, name),
        ...(shown === undefined ? {} : { example: shown }),
      },
    },
  }
}

const ROLES: Record<Operation['access'], string> = {
  public: 'No API key is required.',
  caller: 'Available to any user.',
  operatorOnly: 'Requires an operator.',
  viewer: 'Requires the role of viewer or higher.',
  editor: 'Requires the role of editor or higher.',
  administrator: 'Requires the role of administrator.',
  operator: 'Requires an operator.',
}

const whoMayCall = ({ access, keys }: Operation): string =>
  keys.length === 0
    ? ROLES[access]
    : `${ROLES[access]} Keys of type ${keys.join(' and ')} can call it as well.`

const TAGS: Readonly<Record<string, string>> = {
  Catalog: 'Catalogs',
  KeyAuth: 'Keys',
}

/** The tag of an operation: the first word of its path, or Products below a catalog. */
function tagOf(path: string): string {
  const [, , first = '', , third] = path.split('/')
  if (first === 'Catalog' && third !== undefined) return 'Products'
  return TAGS[first] ?? first.charAt(0).toUpperCase() + first.slice(1)
}

/** Headings in reading order, the most used ones first. */
const FIRST = ['Search', 'Products', 'Catalogs']

function tagsOf(paths: readonly string[]): string[] {
  const tags = new Set(paths.map(tagOf))
  return [...new Set([...FIRST.filter((tag) => tags.has(tag)), ...tags])]
}
