import { z } from 'zod'
import { ignoredFields } from '../platform/known-fields.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export type Schemas = ReturnType<typeof createSchemas>

/**
 * The schemas of one document. One with a `name` or an `id` of its own becomes a component, and is
 * referenced.
 */
export function createSchemas() {
  const components: Record<string, JsonSchema> = {}
  const named = new Map<z.ZodType, string>()

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      override: io === 'input' ? asSent : plainer,
    })
    const { $schema, $defs = {}, ...root } = converted as Record<string, unknown>
    for (const [name, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
      components[name] ??= withReferences(definition)
    }
    return withReferences(root)
  }

  function referred(schema: z.ZodType, io: 'input' | 'output', name?: string): JsonSchema {
    const converted = convert(schema, io)
    if (name === undefined || converted.$ref !== undefined) return converted
    const known = named.get(schema) ?? free(z.globalRegistry.get(schema)?.id ?? name, components)
    named.set(schema, known)
    components[known] ??= converted
    return reference(known)
  }

  return {
    components,
    /** The schema of what callers send. */
    input: (schema: z.ZodType, name?: string) => referred(schema, 'input', name),
    /** The schema of what the service answers. */
    output: (schema: z.ZodType, name?: string) => referred(schema, 'output', name),
  }
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const free = (name: string, taken: Record<string, JsonSchema>): string =>
  Object.hasOwn(taken, name) ? free(`${name}_`, taken) : name

type Converted = Parameters<NonNullable<z.core.JSONSchemaGeneratorParams['override']>>[0]

/** Ignored fields are documented beside the known ones; no others are allowed. */
function asSent(converted: Converted): void {
  const { zodSchema, jsonSchema } = converted
  plainer(converted)
  // A referenced schema lists its own fields.
  if (zodSchema._zod.def.type !== 'object' || jsonSchema.$ref !== undefined) return
  const unread = ignoredFields(zodSchema)
  if (unread === 'any') return
  jsonSchema.additionalProperties = false
  jsonSchema.properties = {
    ...jsonSchema.properties,
    ...Object.fromEntries(unread.map((name) => [name, { description: UNREAD }])),
  }
}

const UNREAD = 'Accepted but ignored, for example if a response is sent back unchanged.'

/**
 * Shortens zod's schemas where they say more than readers need; the service still checks
 * everything.
 */
function plainer({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  // An id becomes the name of a component.
  delete jsonSchema.id
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** zod refers to `#/$defs/Name`; here these are components. */
const withReferences = (schema: unknown): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
