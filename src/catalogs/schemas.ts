import { z } from 'zod'
import { LANGUAGES } from '../languages/language.ts'
import { limits } from '../limits.ts'
import { CatalogName, NullishBoolean, OmittableText, PatchText } from '../shapes.ts'

export const Catalog = z
  .object({
    name: z.string().describe('Name of the catalog, which is also its id.'),
    description: z.string().nullable(),
    active: z
      .boolean()
      .describe('Whether the catalog can be searched. Searches of an inactive catalog return 404.'),
    checkRealtime: z
      .boolean()
      .describe('Whether every search asks the real-time vendors about the offers on its page.'),
    defaultVendor: OmittableText.describe(
      'Vendor of imported prices that name no vendor. If omitted, such prices belong to the organization, under its name.',
    ),
    language: z
      .enum(LANGUAGES)
      .optional()
      .describe(
        'Language in which texts are interpreted. Omitted if none was chosen, in which case English (`en`) applies.',
      ),
    shards: z
      .int()
      .optional()
      .describe(
        "Number of shards of the catalog's own index. Omitted if the catalog uses one shard of a shared index.",
      ),
  })
  .meta({ id: 'Catalog' })
export type Catalog = z.infer<typeof Catalog>

export const GetCatalogsResponse = z
  .object({
    catalogs: z
      .array(Catalog)
      .describe('Catalogs of the organization and of its parent, sorted by name.'),
  })
  .describe('Catalogs that the organization can read.')

const trimmed = (text: string) => text === text.trim()

/** The body of Create and Update Catalog; in an update absent stays and null clears. */
export const CatalogBody = z.object({
  name: CatalogName.refine(trimmed, 'must not begin or end with a space').describe(
    'Name of the catalog, which is also its id and cannot be changed.',
  ),
  description: PatchText(limits.valueLength),
  active: NullishBoolean.describe(
    'Whether the catalog can be searched. Searches of an inactive catalog return 404. New catalogs are active by default.',
  ),
  checkRealtime: NullishBoolean.describe(
    'Whether every search asks the real-time vendors about the offers on its page. Defaults to `false` in a new catalog.',
  ),
  defaultVendor: PatchText(limits.nameLength)
    .optional()
    .describe(
      'Vendor of imported prices that name no vendor. If `null`, such prices belong to the organization, under its name.',
    ),
  language: z
    .enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`)
    .nullish()
    .describe(
      'Language in which texts of products and searches are interpreted. Defaults to `en`. It can be changed only while the catalog has no products.',
    ),
  shards: z
    .int()
    .min(0)
    .max(limits.catalogShards)
    .nullish()
    .describe(
      "Number of shards of the catalog's own index, one per 20 million products. 0 uses one shard of a shared index. Can be set only by operators.",
    ),
})
export type CatalogBody = z.infer<typeof CatalogBody>

export const CatalogKey = z.object({ catalog: CatalogName })
