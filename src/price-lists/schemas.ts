import { z } from 'zod'
import { limits } from '../limits.ts'
import { ListedPrice } from '../products/response-schemas.ts'
import { CatalogPath } from '../products/schemas.ts'
import { Name, NullableText, OmittableText, OptionalText, PathText, pagingBy } from '../shapes.ts'

/** Name of a price list: a single line that can be a path segment. */
const ListName = PathText.max(limits.nameLength)
  .regex(/^[^/]*$/, 'must not contain /')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .refine((text) => text === text.trim(), 'must not begin or end with a space')
  .describe('Name of a price list, unique in its catalog.')

export const PriceListPath = CatalogPath.extend({ priceList: ListName })

export const PriceListBody = z
  .object({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters, as in EUR')
      .describe(
        'Currency as an ISO 4217 code, such as EUR. Prices of products and offers are not converted.',
      ),
    description: OptionalText(limits.valueLength).describe(
      'Description of the price list. Defaults to `null`.',
    ),
    organizations: z
      .array(Name)
      .max(limits.priceListOrganizations)
      .nullish()
      .transform((ids) => ids && [...new Set(ids)])
      .describe(
        'Ids of the sub-organizations that can use the list, besides the owner of the catalog. `null` means all organizations that can read the catalog, and is the default for a new list. If omitted, an existing list keeps its own.',
      ),
  })
  .meta({ id: 'PriceListRequest' })
export type PriceListBody = z.output<typeof PriceListBody>

export const PriceListResponse = z
  .object({
    name: z.string().describe('Name of the price list, which is also its id.'),
    currency: z.string().describe('Currency as an ISO 4217 code, such as EUR.'),
    description: NullableText,
    organizations: z
      .array(z.string())
      .nullable()
      .describe(
        'Ids of the sub-organizations that can use the list. Each of these sees only its own id. `null` means all organizations that can read the catalog.',
      ),
    created: z.iso.datetime().describe('Time at which the list was created.'),
  })
  .meta({ id: 'PriceList', description: 'A price list of a catalog.' })

export const PriceListsResponse = z
  .object({ priceLists: z.array(PriceListResponse).describe('Price lists, sorted by name.') })
  .describe('Price lists of the catalog that the organization can use.')

export const LinesQuery = pagingBy(limits.defaultPageSize)
  .omit({ page: true })
  .extend({
    after: z
      .string()
      .max(limits.idLength)
      .optional()
      .transform((id) => id || null)
      .describe('The `after` value of the previous page. Omit it to get the first page.'),
  })

export const LinesResponse = z
  .object({
    lines: z
      .array(ListedPrice.extend({ id: z.string().describe('Id of the product.') }))
      .describe('Prices of the products on the page, sorted by product id, quantity and time.'),
    after: OmittableText.describe('Cursor for the next page. Omitted on the last page.'),
  })
  .describe('A page of prices in a price list.')
