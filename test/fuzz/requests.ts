import fc from 'fast-check'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly maxLength?: number
}

export type Components = Readonly<Record<string, Schema>>

/** Texts that often reveal missing validation. */
const ODD = [
  ...['', ' ', '.', '..', '..%2f', '%00', 'a/b', '\\', '*', '?', '"', "'", '<script>', '{}', '[]'],
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1e999',
    'NaN',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    'products',
    'notes',
    'retrieveProducts',
    'current',
    '日本語',
    '👩‍🔧',
    '\u202e',
    '\u0000',
    '\ud800',
    'ﬃ',
    '\n',
  ],
]

const text = (most = 20): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...ODD),
    fc.string({ maxLength: 12, unit: 'grapheme' }),
    fc.constantFrom(most, most + 1).map((length) => 'x'.repeat(Math.min(length, 5_000))),
  )

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.1, 250, 251, 2 ** 31, 2 ** 53, 1e308, -1e308, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Valid values of a schema, and sometimes one of another type. */
export function valuesOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const right = rightValuesOf(schema, components)
  return fc.oneof({ arbitrary: right, weight: 12 }, { arbitrary: anything, weight: 1 })
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(JSON.parse('{"__proto__": 1}'), JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)),
)

function rightValuesOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type } = schema
  if ($ref) return valuesOf(components[$ref.split('/').at(-1)!]!, components)
  if (anyOf) return fc.oneof(...anyOf.map((one) => valuesOf(one, components)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = typeof type === 'string' ? [type] : (type ?? ['any'])
  return fc.oneof(...types.map((one) => typed(one, schema, components)))
}

function typed(type: string, schema: Schema, components: Components): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return text(schema.maxLength)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'integer':
    case 'number':
      return number
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, components), { maxLength: 4 })
    case 'object':
      return objectOf(schema, components)
    default:
      return anything
  }
}

function objectOf(schema: Schema, components: Components): fc.Arbitrary<unknown> {
  const named = fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => [
        name,
        fc.option(valuesOf(one, components), { nil: undefined, freq: 1 }),
      ]),
    ),
  )
  const { additionalProperties } = schema
  if (!additionalProperties) return named
  return fc.dictionary(text(), valuesOf(additionalProperties, components), { maxKeys: 4 })
}

/** A value for a path or a query: the documented example, or something odd. */
export const wordOf = (example: unknown, schema: Schema, components: Components) =>
  fc.oneof(
    ...(example === undefined ? [] : [{ arbitrary: fc.constant(String(example)), weight: 6 }]),
    { arbitrary: valuesOf(schema, components).map((value) => String(value)), weight: 1 },
    { arbitrary: text(schema.maxLength), weight: 1 },
  )
