import { z } from 'zod'
import { memoizeWeak } from './memoize-weak.ts'
import { createPacer } from './pacer.ts'
import { firstProblem } from './validation-problem.ts'

/** Like `parse`, for a large value: yields to the event loop between the entries of its lists. */
export const parseInSteps = <S extends z.ZodType>(
  schema: S,
  value: unknown,
): Promise<z.ZodSafeParseResult<z.output<S>>> =>
  (pacedOf(schema) as S).safeParseAsync(value, firstProblem)

const pacedOf = memoizeWeak<z.core.$ZodType, z.core.$ZodType>(paced)

/** A schema whose outermost lists pace the parsing of entries that contain values themselves. */
function paced(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const withParts = (parts: object) => z.core.clone(schema, { ...def, ...parts } as never)
  switch (def.type) {
    case 'array':
      return containsValues(def.element)
        ? withParts({ element: z.preprocess(createPacer(), def.element) })
        : schema
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, pacedOf(field)])
      return withParts({ shape: Object.fromEntries(fields) })
    }
    case 'pipe':
      return withParts({ in: pacedOf(def.in), out: pacedOf(def.out) })
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return withParts({ innerType: pacedOf(def.innerType) })
    default:
      return schema
  }
}

function containsValues(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'array':
    case 'object':
    case 'record':
      return true
    case 'pipe':
      return containsValues(def.in) || containsValues(def.out)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
      return containsValues(def.innerType)
    default:
      return false
  }
}
