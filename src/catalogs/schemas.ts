import { z } from 'zod'
import { LANGUAGES } from '../languages/language.ts'
import { limits } from '../limits.ts'
import { CatalogName, PatchText } from '../shapes.ts'

export const Catalog = z
  .object({
    name: z.string().describe('Its id, too.'),
    description: z.string().nullable(),
    active: z.boolean().describe('false: searches answer 404.'),
    checkRealtime: z
      .boolean()
      .describe('true: each search asks the real-time vendors about the offers of its page.'),
    defaultVendor: z
      .string()
      .optional()
      .describe(
        'Whose prices imports bring that name no vendor; absent: those of the organization, under its name.',
      ),
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe('What its texts are read as; absent where none was chosen, which reads as en.'),
    shards: z
      .int()
      .optional()
      .describe(
        'Shards of the index that it has to itself; absent: it shares an index, in one shard.',
      ),
  })
  .meta({ id: 'Catalog' })
export type Catalog = z.infer<typeof Catalog>

export const GetCatalogsResponse = z
  .object({
    catalogs: z.array(Catalog).describe('Those of the organization and of its parent, by name.'),
  })
  .describe('Catalogs that the organization may read.')

const trimmed = (text: string) => text === text.trim()

/** The body of Create and Update Catalog; in an update absent stays and null clears. */
export const CatalogBody = z.object({
  name: CatalogName.refine(trimmed, 'must not begin or end with a space').describe(
    'Its id, too; it cannot change.',
  ),
  description: PatchText(limits.valueLength),
  active: z.boolean().nullish().describe('false: searches answer 404. A new catalog is active.'),
  checkRealtime: z
    .boolean()
    .nullish()
    .describe(
      'true: each search asks the real-time vendors about the offers of its page; false in a new catalog.',
    ),
  defaultVendor: PatchText(limits.nameLength)
    .optional()
    .describe(
      'Whose prices imports bring that name no vendor; null: those of the organization, under its name.',
    ),
  language: z
    .enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`)
    .nullish()
    .describe(
      'What texts of products and searches are read as; en where none was chosen. It changes only while the catalog has no products.',
    ),
  shards: z
    .int()
    .min(0)
    .max(limits.catalogShards)
    .nullish()
    .describe(
      'Shards of an index of its own, one for each 20 million products; 0: it shares an index with others, in one shard. Set by an operator only.',
    ),
})
export type CatalogBody = z.infer<typeof CatalogBody>

export const CatalogKey = z.object({ catalog: CatalogName })
