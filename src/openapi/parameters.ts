import type { Binding, Operation, Revision } from '../operation.ts'
import type { Example } from './examples.ts'
import type { JsonSchema, Schemas } from './schemas.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
  readonly description?: string
  readonly example?: unknown
}

interface ParameterSource {
  readonly operation: Operation
  readonly binding: Binding<never, never>
  readonly revision: Revision
  readonly example: Example | undefined
}

/** The parameters of an operation in path, query and headers. */
export function parametersOf(described: ParameterSource, schemas: Schemas): Parameter[] {
  const { binding, example } = described
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
    ...headersOf(described),
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

function headersOf({ operation, revision }: ParameterSource): Parameter[] {
  const headers: Parameter[] = []
  const add = (name: string, parts: Omit<Parameter, 'name' | 'in'>) =>
    headers.push({ name, in: 'header', ...parts })
  if (!operation.bindings.any) {
    const schema = { type: 'string', enum: [revision], default: revision }
    add('x-api-version', {
      required: true,
      schema,
      description: 'The revision; may instead be a parameter of `content-type` or `accept`.',
    })
  }
  if (operation.access !== 'public') {
    add('x-organization', {
      required: false,
      schema: text,
      description:
        'Id of the organization; needed by a key that reaches several and is bound to none.',
    })
    add('x-suborganization', {
      required: false,
      schema: text,
      description: 'Id of one of its sub-organizations, in which the request is made then.',
    })
  }
  if (operation.fails.includes('preconditionFailed')) {
    add('if-match', {
      required: false,
      schema: text,
      description:
        'The `version` that the product must still have, with or without quotes; else 412.',
    })
  }
  return headers
}
