import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { STEP_MS, takeStep } from './in-steps.ts'
import { memoizeWeak } from './memoize-weak.ts'
import { createPacer } from './pacer.ts'
import { unwrapped } from './unwrapped-schema.ts'
import { firstProblem } from './validation-problem.ts'

type Pacer = ReturnType<typeof createPacer>
type Parse = <S extends z.ZodType>(
  schema: S,
  value: unknown,
) => Promise<z.ZodSafeParseResult<z.output<S>>>

/** The pacer of the current parse: none waits for the entries of another. */
const pacing = new AsyncLocalStorage<Pacer>()

const parseBy =
  (create: () => Pacer): Parse =>
  (schema, value) =>
    pacing.run(create(), () =>
      (pacedOf(schema) as typeof schema).safeParseAsync(value, firstProblem),
    )

/** Like `parse`, for a large value: yields to the event loop between the entries of its lists. */
export const parseInSteps: Parse = parseBy(() => createPacer(takeStep))

/** Like parseInSteps, but pauses for STEP_MS between steps, about as long as a step takes. */
export const parsePaced: Parse = parseBy(() => createPacer(() => setTimeout(STEP_MS)))

const pacedOf = memoizeWeak<z.core.$ZodType, z.core.$ZodType>((schema) => paced(schema))
const pace = (value: unknown) => pacing.getStore()!(value)

/**
 * A schema whose outermost lists pace the parsing of entries that contain values themselves; the
 * schema itself if it has no such list.
 */
function paced(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const withParts = (parts: object) => z.core.clone(schema, { ...def, ...parts } as never)
  switch (def.type) {
    case 'array':
      return containsValues(def.element)
        ? withParts({ element: z.preprocess(pace, def.element) })
        : schema
    case 'object': {
      const names = Object.keys(def.shape)
      const shape = Object.fromEntries(names.map((name) => [name, pacedOf(def.shape[name]!)]))
      if (names.every((name) => shape[name] === def.shape[name])) return schema
      return z.pipe(withParts({ shape }), z.transform(inOrder(names)))
    }
    case 'pipe': {
      const [inside, outside] = [pacedOf(def.in), pacedOf(def.out)]
      const isSame = inside === def.in && outside === def.out
      return isSame ? schema : withParts({ in: inside, out: outside })
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault': {
      const innerType = pacedOf(def.innerType)
      return innerType === def.innerType ? schema : withParts({ innerType })
    }
    default:
      return schema
  }
}

/** Restores the order of the schema: what is parsed in steps is set last. */
const inOrder = (names: readonly string[]) => (value: unknown) => {
  const parsed = value as Readonly<Record<string, unknown>>
  const known = names.filter((name) => Object.hasOwn(parsed, name))
  return { ...Object.fromEntries(known.map((name) => [name, parsed[name]])), ...parsed }
}

function containsValues(schema: z.core.$ZodType): boolean {
  const { def } = unwrapped(schema)._zod
  if (def.type === 'pipe') return containsValues(def.in) || containsValues(def.out)
  return def.type === 'array' || def.type === 'object' || def.type === 'record'
}
