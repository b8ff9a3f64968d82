import type { z } from 'zod'

/** The schema inside optional, nullable, default and other wrappers. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'catch':
    case 'readonly':
      return unwrapped(def.innerType)
    default:
      return schema as z.core.$ZodTypes
  }
}
