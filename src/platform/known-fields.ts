import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { closestName } from './closest-name.ts'
import { unwrapped } from './unwrapped-schema.ts'
import { placeOf, shownName } from './validation-problem.ts'

/** Fields that a request may have beyond its schema; they are ignored. */
const UNREAD = z.registry<{ names: readonly string[] | 'any' }>()

/**
 * Accepts and ignores these fields, such as those that answers have and callers send back, or any
 * field. All other unknown fields are refused.
 */
export function allowIgnoredFields<S extends z.ZodObject>(
  schema: S,
  names: readonly string[] | 'any',
): S {
  const own = Object.keys(schema.shape)
  const unread = names === 'any' ? names : names.filter((name) => !own.includes(name))
  UNREAD.add(schema, { names: unread })
  return schema
}

/** Names of ignored fields in an object of this schema. */
export function ignoredFields(schema: z.core.$ZodType): readonly string[] | 'any' {
  const said = UNREAD.get(schema as z.ZodType)?.names
  const { def } = (schema as z.core.$ZodTypes)._zod
  const rest = def.type === 'object' ? def.catchall?._zod.def.type : undefined
  return rest !== undefined && rest !== 'never' ? 'any' : (said ?? [])
}

/** The fields that a value may have, nested; null: there are no objects to check. */
export type KnownFields =
  | {
      readonly kind: 'object'
      readonly fields: ReadonlyMap<string, KnownFields>
      readonly unread: ReadonlySet<string> | 'any'
    }
  | { readonly kind: 'list' | 'map'; readonly each: KnownFields }
  | null

/** Throws Error for a schema of an unsupported type. */
export function knownFields(wrapped: z.core.$ZodType): KnownFields {
  const schema = unwrapped(wrapped)
  const { def } = schema._zod
  switch (def.type) {
    case 'object': {
      const unread = ignoredFields(schema)
      return {
        kind: 'object',
        fields: new Map(
          Object.entries(def.shape).map(([name, field]) => [name, knownFields(field)]),
        ),
        unread: unread === 'any' ? unread : new Set(unread),
      }
    }
    case 'array':
      return eachOf('list', knownFields(def.element))
    case 'record':
      return eachOf('map', knownFields(def.valueType))
    case 'pipe':
      return knownFields(isTransform(def.in) ? def.out : def.in)
    case 'union': {
      const [first = null, ...more] = def.options.map(knownFields).filter((one) => one !== null)
      if (more.length > 0) throw new Error('a union of several object types is not supported')
      return first
    }
    case 'intersection':
    case 'tuple':
    case 'map':
    case 'set':
    case 'lazy':
    case 'promise':
      throw new Error(`the fields inside a schema of type ${def.type} are not known`)
    default:
      return null
  }
}

const isTransform = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'transform'

const eachOf = (kind: 'list' | 'map', each: KnownFields): KnownFields => each && { kind, each }

interface Unknown {
  readonly path: readonly PropertyKey[]
  readonly name: string
  /** The names of the known fields beside it. */
  readonly known: readonly string[]
}

/** Finds the first unknown field of a value. Values of other types are left to the schema. */
export function unknownField(known: KnownFields, value: unknown): Unknown | undefined {
  if (known === null || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value) !== (known.kind === 'list')) return undefined
  if (Array.isArray(value)) return unknownInside(known, value, [...value.keys()])
  const names = Object.keys(value)
  if (known.kind === 'object') {
    const { fields, unread } = known
    const passing = (name: string) => fields.has(name) || unread === 'any' || unread.has(name)
    const name = names.find((one) => !passing(one))
    if (name !== undefined) return { path: [name], name, known: [...fields.keys()] }
  }
  return unknownInside(known, value, names)
}

function unknownInside(
  known: NonNullable<KnownFields>,
  value: object,
  keys: readonly (string | number)[],
): Unknown | undefined {
  for (const key of keys) {
    const inner = known.kind === 'object' ? known.fields.get(key as string) : known.each
    const found = inner && unknownField(inner, value[key as keyof typeof value])
    if (found) return { ...found, path: [key, ...found.path] }
  }
  return undefined
}

/** Throws Invalid for the first unknown field. */
export function refuseUnknown(known: KnownFields, value: unknown, root = ''): void {
  const found = unknownField(known, value)
  if (!found) return
  throw new Invalid(
    `${placeOf(found.path, root)}: unknown field; ${suggestionText(found.name, found.known)}`,
  )
}

/** How many known names a suggestion lists; more would not help. */
const LISTED = 16

/** A suggestion for the end of a message. */
export function suggestionText(name: string, known: readonly string[]): string {
  const near = closestName(name, known)
  if (near !== undefined) return `did you mean "${shownName(near)}"?`
  if (known.length === 0) return 'there are none'
  const listed = known.slice(0, LISTED).join(', ')
  return `known: ${listed}${known.length > LISTED ? ' …' : ''}`
}
