import { DEFAULT_REVISION } from '../http/revision.ts'
import type { Binding, Operation, Revision } from '../operation.ts'
import type { Example } from './examples.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

/** An operation as one revision serves it. */
export interface ServedOperation {
  readonly operation: Operation
  readonly binding: Binding<never, never>
  readonly revision: Revision
  readonly example: Example | undefined
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly description?: string
  readonly example?: unknown
}

/** The parameters of an operation in path, query and headers. */
export function parametersOf(served: ServedOperation, schemas: Schemas): Parameter[] {
  const { binding, example } = served
  const names = [...binding.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const path = propertiesOf(binding.param && schemas.input(binding.param))
  const query = propertiesOf(binding.query && schemas.input(binding.query))
  return [
    ...names.map((name, index): Parameter => {
      const shown = example?.path?.[index]
      const parts = partsOf(path.properties[name] ?? text)
      return { name, in: 'path', required: true, ...parts, ...(shown && { example: shown }) }
    }),
    ...Object.entries(query.properties).map(([name, schema]): Parameter => {
      const required = query.required.includes(name) && !('default' in schema)
      const shown = example?.query?.[name]
      return {
        name,
        in: 'query',
        required,
        ...partsOf(schema),
        ...(shown && { example: typed(shown, schema) }),
      }
    }),
    ...headersOf(served),
  ]
}

/** Splits a schema, since a parameter has its description beside its schema. */
const partsOf = ({
  description,
  ...schema
}: JsonSchema): Pick<Parameter, 'schema' | 'description'> =>
  typeof description === 'string' ? { description, schema } : { schema }

const typed = (text: string, { type }: JsonSchema): unknown =>
  type === 'integer' || type === 'number' ? Number(text) : text

function propertiesOf(schema: JsonSchema | undefined) {
  const { properties = {}, required = [] } = schema ?? {}
  return {
    properties: properties as Record<string, JsonSchema>,
    required: required as readonly string[],
  }
}

const text: JsonSchema = { type: 'string' }

function headersOf({ operation, revision }: ServedOperation): Parameter[] {
  const headers: Parameter[] = []
  const add = (name: string, description: string, parts = { required: false, schema: text }) =>
    headers.push({ name, in: 'header', ...parts, description })
  if (!operation.bindings.any) {
    const isDefault = revision === DEFAULT_REVISION && operation.access !== 'public'
    const fallback = isDefault ? ' Defaults to the `defaultVersion` of the key.' : ''
    add(
      'x-api-version',
      `Revision of the API. It can also be given as a parameter of \`content-type\` or \`accept\`.${fallback}`,
      {
        required: !isDefault,
        schema: { type: 'string', enum: [revision], ...(isDefault ? {} : { default: revision }) },
      },
    )
  }
  if (operation.access !== 'public') {
    add(
      'x-organization',
      'Id of the organization. Required if the key has access to several and is bound to none.',
    )
    add(
      'x-suborganization',
      'Id of a sub-organization of the organization, in which the request is then made.',
    )
  }
  if (operation.conditional) {
    add(
      'if-none-match',
      'The `etag` of a cached response. Returns 304 if that response is still current.',
    )
  }
  if (operation.idempotent) {
    add(
      'idempotency-key',
      'A key of your choice that identifies the request. A request that is sent again with the same key is not performed again.',
    )
  }
  if (operation.fails.includes('preconditionFailed')) {
    add(
      'if-match',
      'Expected `version` of the object, with or without quotes. Returns 412 if the version differs.',
    )
  }
  return headers
}
