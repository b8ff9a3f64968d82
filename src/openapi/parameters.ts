import { DEFAULT_REVISION } from '../http/revision.ts'
import type { Binding, Operation, Revision } from '../operation.ts'
import type { Example } from './examples.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

/** An operation as one revision serves it. */
export interface Served {
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
export function parametersOf(served: Served, schemas: Schemas): Parameter[] {
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

/** A parameter's description is beside its schema. */
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

function headersOf({ operation, revision }: Served): Parameter[] {
  const headers: Parameter[] = []
  const add = (name: string, description: string, parts = { required: false, schema: text }) =>
    headers.push({ name, in: 'header', ...parts, description })
  if (!operation.bindings.any) {
    const isDefault = revision === DEFAULT_REVISION && operation.access !== 'public'
    const told = isDefault ? ' Without it the `defaultVersion` of the key counts.' : ''
    add(
      'x-api-version',
      `The revision; may instead be a parameter of \`content-type\` or \`accept\`.${told}`,
      {
        required: !isDefault,
        schema: { type: 'string', enum: [revision], ...(isDefault ? {} : { default: revision }) },
      },
    )
  }
  if (operation.access !== 'public') {
    add(
      'x-organization',
      'Id of the organization; needed by a key that reaches several and is bound to none.',
    )
    add(
      'x-suborganization',
      'Id of one of its sub-organizations, in which the request is made then.',
    )
  }
  if (operation.conditional) {
    add('if-none-match', 'The `etag` of an answer that the caller has; 304 when it is still so.')
  }
  if (operation.idempotent) {
    add(
      'idempotency-key',
      'Of your choice, one for each request: sent again with the same key, it is not done again.',
    )
  }
  if (operation.fails.includes('preconditionFailed')) {
    add(
      'if-match',
      'The `version` that what is changed must still have, with or without quotes; else 412.',
    )
  }
  return headers
}
