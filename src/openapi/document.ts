import { limits } from '../limits.ts'
import type { Binding, Operation, Revision } from '../operation.ts'
import { type Example, readExamples } from './examples.ts'
import { parametersOf, type Served } from './parameters.ts'
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

const ABOUT = `Searches catalogs of products with the offers of many vendors, per organization.

Every path answers other methods with 405 and \`allow\`. Absent, null and empty mean the same;
in an update null clears what absent leaves. Unknown fields and query parameters are refused. Times are ISO 8601 in UTC.`

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
    description: '`authorization: Bearer <key>`, or the token (JWT) of somebody who signed in.',
  },
  key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key by itself.' },
}

function described(served: Served, schemas: Schemas) {
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
      description: `At most ${limits.fileBytes} bytes.`,
      required: true,
      content: { 'application/octet-stream': { schema } },
    }
  }
  const shown = example?.body
  return {
    description: `At most ${binding.bodyBytes ?? limits.bodyBytes} bytes and ${limits.jsonDepth} levels.`,
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
  public: 'Needs no key.',
  caller: 'For any user.',
  operatorOnly: 'For operators.',
  viewer: 'For viewers and stronger roles.',
  editor: 'For editors and stronger roles.',
  administrator: 'For administrators.',
  operator: 'For operators.',
}

const whoMayCall = ({ access, keys }: Operation): string =>
  keys.length === 0
    ? ROLES[access]
    : `${ROLES[access]} Keys of type ${keys.join(' and ')} may call it, too.`

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
