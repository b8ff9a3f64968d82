import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { OptionalText } from '../shapes.ts'

/** A column of a file and the field of products that it fills. */
export const Mapping = allowIgnoredFields(
  z.object({
    column: z
      .number()
      .int()
      .min(0)
      .max(limits.importColumns - 1)
      .describe('Counts from 0.'),
    field: z
      .string()
      .trim()
      .min(1)
      .max(limits.nameLength)
      .describe(
        "A product's field, `vendor.<field>` of its offer, or `attribute`, `facet` or `filter`.",
      ),
    attribute: OptionalText(limits.nameLength).describe('Name of the attribute, facet or filter.'),
  }),
  ['confidence'],
)
export type Mapping = Readonly<z.output<typeof Mapping>>
