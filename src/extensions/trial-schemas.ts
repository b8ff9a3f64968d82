import { z } from 'zod'
import { withDescriptionsOf } from '../shapes.ts'
import { Mapping } from './mapping.ts'

/** A problem with a request to install. */
export const Problem = z.object({
  field: z.string().describe('The place; empty for the whole.'),
  message: z.string(),
})

const HeaderRow = z
  .number()
  .nullish()
  .describe('Line of the headings, from 1; null or absent without any.')
const System = z
  .string()
  .nullish()
  .describe('The shop or catalog system that the file comes from, where it is known.')

/** The result of a dry run of an import's first rows. */
export const Preview = z.object({
  created: z.number().describe('Rows that make a product.'),
  updated: z.number().describe('Rows that change a product.'),
  unchanged: z.number().describe('Rows that change nothing.'),
  rejected: z.number().describe('Rows that are rejected.'),
  rejects: z
    .array(z.object({ line: z.number().describe('Of the file, from 1.'), reason: z.string() }))
    .describe('The rejected ones of these rows.'),
  headerRow: HeaderRow,
  system: System,
})

const text = z.string().nullable()

/** A sample of what an import would read, and how it was interpreted. */
export const Sample = z.object({
  columns: z
    .array(z.array(z.string()))
    .describe('One list for each column: its heading, then its first values.'),
  mappings: z
    .array(
      z.object({
        ...withDescriptionsOf(Mapping.shape, {
          column: z.number(),
          field: z.string(),
          attribute: text,
        }),
        confidence: z.number().describe('How surely, between 0 and 1.'),
      }),
    )
    .describe('Suggested for the columns that could be told; none where the system is known.'),
  detected: z
    .object({
      encoding: text,
      delimiter: text.describe('What divides the cells of a row.'),
      quoteChar: text,
      header: z.boolean().describe('The first row holds headings.'),
      decimal: text.describe('Decimal sign of the numbers.'),
      headerRow: HeaderRow,
      system: System,
    })
    .nullable()
    .describe('How the file was understood; null where the source is no file.'),
  becomes: z
    .array(
      z.object({
        column: z.number().describe('From 0.'),
        heading: z.string().describe('As the file has it.'),
        field: text.describe('As a mapping names it; null: it is not used.'),
        attribute: text.describe('Name of the attribute, facet, filter or option.'),
        values: z.number().describe('Cells in these rows that say something.'),
      }),
    )
    .optional()
    .describe('What an import without mappings makes of each column; absent without headings.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What to look at before that; absent without headings.'),
})
