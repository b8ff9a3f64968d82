import { z } from 'zod'
import { limits } from '../limits.ts'
import { Name } from '../shapes.ts'

export const SavedName = z.object({ name: Name.describe('Name of the saved search.') })

/** Saved searches by name. */
export const SavedSearches = z
  .object({
    items: z
      .array(
        z.object({
          name: z.string(),
          catalog: z.string().describe('The catalog to send it to, as `?catalog=`.'),
          search: z
            .record(z.string(), z.unknown())
            .meta({ description: 'The SearchRequest as it was given, ready to be sent.' }),
        }),
      )
      .describe('By name.'),
  })
  .describe("The caller's saved searches.")

export const ColumnPage = z.object({
  page: Name.describe('Name of a page of a user interface, any.'),
})

/** Names of columns, in their order. */
export const Columns = z
  .array(z.string().min(1).max(limits.nameLength))
  .max(limits.columns, `at most ${limits.columns} names`)
  .refine((names) => new Set(names).size === names.length, 'a name is listed twice')
  .describe('Names of columns, in their order; an empty list forgets those of the page.')

export const ColumnsAnswer = z
  .array(z.string())
  .describe('Names of columns, in their order; none when none were saved.')
