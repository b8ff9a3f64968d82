import { z } from 'zod'
import { limits } from '../limits.ts'
import { Name, RequiredExact } from '../shapes.ts'

export const SavedName = z.object({ name: Name.describe('Name of the saved search.') })

/** Saved searches by name. */
export const SavedSearches = z
  .object({
    items: z
      .array(
        z.object({
          name: z.string(),
          catalog: z.string().describe('Catalog to search, for use as `?catalog=`.'),
          search: z
            .record(z.string(), z.unknown())
            .meta({ description: 'The SearchRequest as it was saved, ready to be sent again.' }),
        }),
      )
      .describe('Saved searches, sorted by name.'),
  })
  .describe("The caller's saved searches.")

export const ColumnPage = z.object({
  page: Name.describe('Any name for a page of a user interface.'),
})

/** Names of columns, in their order. */
export const Columns = z
  .array(RequiredExact(limits.nameLength))
  .max(limits.columns, `at most ${limits.columns} names`)
  .refine((names) => new Set(names).size === names.length, 'a name is listed twice')
  .describe('Names of the columns, in order. An empty list deletes the columns saved for the page.')

export const ColumnsAnswer = z
  .array(z.string())
  .describe('Names of the columns, in order. Empty if none were saved.')
