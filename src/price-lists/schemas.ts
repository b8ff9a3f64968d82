import { z } from 'zod'
import { limits } from '../limits.ts'
import { ListedPrice } from '../products/response-schemas.ts'
import { CatalogName, Name, OptionalText, PathText, pagingBy } from '../shapes.ts'

const trimmed = (text: string) => text === text.trim()

/** A name of a list: one line that travels in paths. */
const ListName = PathText.max(limits.nameLength)
  .regex(/^[^/]*$/, 'must not contain /')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .refine(trimmed, 'must not begin or end with a space')
  .describe('Name of a price list, unique in its catalog.')

const CatalogOf = z.object({ catalog: CatalogName })
export const PriceListsPath = CatalogOf
export const PriceListPath = CatalogOf.extend({ priceList: ListName })

const Organizations = z.array(Name)

/** What is said of a list. */
export const PriceListBody = z
  .object({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters, as in EUR')
      .describe('ISO 4217, as in EUR. Prices of products and offers are not converted.'),
    description: OptionalText(limits.valueLength).describe('null when absent.'),
    organizations: Organizations.max(limits.priceListOrganizations)
      .nullish()
      .transform((ids) => (ids ? [...new Set(ids)] : null))
      .describe(
        'Ids of the sub-organizations for whom the list is there, besides the owner of the catalog; null, as when absent: for all who may read the catalog.',
      ),
  })
  .meta({ id: 'PriceListRequest' })
export type PriceListBody = z.output<typeof PriceListBody>

export const PriceListResponse = z
  .object({
    name: z.string().describe('Its id, too.'),
    currency: z.string().describe('ISO 4217, as in EUR.'),
    description: z.string().nullable(),
    organizations: z
      .array(z.string())
      .nullable()
      .describe(
        'Sub-organizations for whom it is there, to one of them itself alone; null: for all who may read the catalog.',
      ),
    created: z.iso.datetime().describe('When it was made.'),
  })
  .meta({ id: 'PriceList', description: 'A list of prices of the products of a catalog.' })

export const PriceListsResponse = z
  .object({ priceLists: z.array(PriceListResponse).describe('By name.') })
  .describe('The price lists of a catalog that the organization may see.')

export const LinesQuery = pagingBy(limits.defaultPageSize)
  .omit({ page: true })
  .extend({
    after: z
      .string()
      .max(limits.idLength)
      .optional()
      .transform((id) => id || null)
      .describe('`after` of the page before; absent and empty: the first page.'),
  })

export const LinesResponse = z
  .object({
    lines: z
      .array(ListedPrice.extend({ id: z.string().describe('Id of the product.') }))
      .describe('Prices of the products of a page, by id, quantity and time.'),
    after: z.string().optional().describe('Where the next page begins; absent on the last one.'),
  })
  .describe('Prices of a list.')
