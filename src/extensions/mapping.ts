import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { NullableText, OptionalText, RequiredText, withDescriptionsOf } from '../shapes.ts'

/** A column of a file and the field of products that it fills. */
export const Mapping = allowIgnoredFields(
  z.object({
    column: z
      .number()
      .int()
      .min(0)
      .max(limits.importColumns - 1)
      .describe('Index of the column, starting at 0.'),
    field: RequiredText(limits.nameLength).describe(
      'A product field, `vendor.<field>` for a field of the offer, or `attribute`, `facet`, `filter` or `option`.',
    ),
    attribute: OptionalText(limits.nameLength).describe(
      'Name of the attribute, facet, filter or option.',
    ),
  }),
  ['confidence'],
)
export type Mapping = Readonly<z.output<typeof Mapping>>

/** A mapping as it is answered. */
export const ShownMapping = z.object(
  withDescriptionsOf(Mapping.shape, {
    column: z.number(),
    field: z.string(),
    attribute: NullableText,
  }),
)
