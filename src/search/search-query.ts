import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { parse } from '../platform/validation-problem.ts'
import { CatalogQuery, OmittableText } from '../shapes.ts'
import { SearchRequest } from './request-schemas.ts'

type FieldNotation = 'flag' | 'number' | 'text' | 'texts' | 'commas' | 'json'

/** How a field of the request is written as a query parameter. */
function kindOf(schema: z.core.$ZodType): FieldNotation {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return kindOf(def.innerType)
    case 'pipe':
      return kindOf(def.in)
    case 'boolean':
      return 'flag'
    case 'number':
      return 'number'
    case 'array':
      return kindOf(def.element) === 'text' ? 'texts' : 'json'
    case 'object':
      return 'json'
    default:
      return 'text'
  }
}

const Texts = z.preprocess((sent) => (Array.isArray(sent) ? sent : [sent]), z.array(z.string()))

const SCHEMAS: Readonly<Record<Exclude<FieldNotation, 'text'>, z.ZodType>> = {
  flag: z.enum(['true', 'false', '']).optional(),
  number: z.string().max(limits.nameLength).optional(),
  texts: Texts.optional(),
  commas: z.string().optional(),
  json: z.string().optional(),
}

/** The field whose values are separated by commas. */
const COMMAS = 'fields'

const FIELDS = Object.entries(SearchRequest.shape).map(([name, field]) => ({
  name,
  kind: name === COMMAS ? ('commas' as const) : kindOf(field),
  field,
  known: knownFields(field),
}))

const BEFORE: Partial<Record<FieldNotation, string>> = {
  commas: 'Separated by commas. ',
  json: 'Encoded as JSON. ',
}

const parameters = Object.fromEntries(
  FIELDS.map(({ name, kind, field }) => {
    const schema = kind === 'text' ? field : SCHEMAS[kind]
    return [name, schema.describe(`${BEFORE[kind] ?? ''}${field.description}`)]
  }),
)

/** A SearchRequest as query parameters, one for each field. */
export const SearchQuery = CatalogQuery.extend({
  key: OmittableText.describe(
    'A key of type `search`, instead of a header. It allows caches to tell responses apart by their URL.',
  ),
  ...parameters,
}).transform(({ catalog, key: _, ...sent }, ctx) => {
  const body: Record<string, unknown> = {}
  for (const { name, kind, known } of FIELDS) {
    const value = (sent as Record<string, unknown>)[name]
    if (value === undefined || value === null || value === '') continue
    body[name] = sentValue(value, kind, name)
    if (kind === 'json') refuseUnknown(known, body[name], name)
  }
  const parsed = parse(SearchRequest, body)
  if (parsed.success) return { catalog, body: parsed.data }
  for (const { path, message } of parsed.error.issues) {
    ctx.addIssue({ code: 'custom', path, message })
  }
  return z.NEVER
})

function sentValue(value: unknown, kind: FieldNotation, name: string): unknown {
  switch (kind) {
    case 'flag':
      return value === 'true'
    case 'number':
      return numberOf(String(value))
    case 'commas':
      return String(value).split(',')
    case 'json':
      return jsonOf(String(value), name)
    default:
      return value
  }
}

/** Returns other texts unchanged, so that validation rejects them. */
const numberOf = (text: string): number | string => {
  const number = Number(text)
  return Number.isFinite(number) && text.trim() !== '' ? number : text
}

function jsonOf(text: string, name: string): unknown {
  checkShape(Buffer.from(text), name)
  try {
    const value: unknown = JSON.parse(text)
    checkValue(value, name)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) throw new Invalid(`${name}: not valid JSON`)
    throw error
  }
}
