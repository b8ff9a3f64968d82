import { z } from 'zod'
import { ShownMapping } from './mapping.ts'

/** A problem with a request to install. */
export const Problem = z.object({
  field: z.string().describe('Location of the problem. Empty if it concerns the whole request.'),
  message: z.string(),
})

const HeaderRow = z
  .number()
  .nullish()
  .describe('Line number of the headings, starting at 1. `null` or omitted if there are none.')
const System = z
  .string()
  .nullish()
  .describe('Shop or catalog system that the file comes from, if it was recognized.')

/** The result of a dry run of an import's first rows. */
export const Preview = z.object({
  created: z.number().describe('Number of rows that would create a product.'),
  updated: z.number().describe('Number of rows that would update a product.'),
  unchanged: z.number().describe('Number of rows that would change nothing.'),
  rejected: z.number().describe('Number of rows that would be rejected.'),
  rejects: z
    .array(
      z.object({
        line: z.number().describe('Line number in the file, starting at 1.'),
        reason: z.string(),
      }),
    )
    .describe('The rejected rows.'),
  headerRow: HeaderRow,
  system: System,
})

const text = z.string().nullable()

/** A sample of what an import would read, and how it was interpreted. */
export const Sample = z.object({
  columns: z
    .array(z.array(z.string()))
    .describe('One list per column: its heading, followed by its first values.'),
  mappings: z
    .array(
      ShownMapping.extend({
        confidence: z.number().describe('Confidence of the suggestion, between 0 and 1.'),
      }),
    )
    .describe('Suggested mappings for the recognized columns. Empty if the system is known.'),
  detected: z
    .object({
      encoding: text,
      delimiter: text.describe('Character that separates the cells of a row.'),
      quoteChar: text,
      header: z.boolean().describe('Whether the first row contains headings.'),
      decimal: text.describe('Decimal separator of the numbers.'),
      headerRow: HeaderRow,
      system: System,
    })
    .nullable()
    .describe('How the file was interpreted. `null` if the source is not a file.'),
  becomes: z
    .array(
      z.object({
        column: z.number().describe('Index of the column, starting at 0.'),
        heading: z.string().describe('Heading of the column, as in the file.'),
        field: text.describe(
          'Field that the column fills, named as in a mapping. `null` if it is not used.',
        ),
        attribute: text.describe('Name of the attribute, facet, filter or option.'),
        values: z.number().describe('Number of cells in these rows that have a value.'),
      }),
    )
    .optional()
    .describe(
      'What an import without mappings does with each column. Omitted if there are no headings.',
    ),
  warnings: z
    .array(z.string())
    .optional()
    .describe('What to check before running such an import. Omitted if there is nothing.'),
})
