import { z } from 'zod'
import { limits } from '../limits.ts'
import { CatalogName, PatchText } from '../shapes.ts'

/** Catalog (interface: Catalog). */
export const Catalog = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    active: z.boolean(),
    checkRealtime: z.boolean(),
  })
  .meta({ id: 'Catalog' })
export type Catalog = z.infer<typeof Catalog>

export const GetCatalogsResponse = z.object({ catalogs: z.array(Catalog) })

const trimmed = (text: string) => text === text.trim()

/** Body of Create and Update Catalog. Of an update: absent stays, a null description clears. */
export const CatalogBody = z.object({
  name: CatalogName.refine(trimmed, 'must not begin or end with a space'),
  description: PatchText(limits.valueLength),
  active: z.boolean().nullish(),
  checkRealtime: z.boolean().nullish(),
})
export type CatalogBody = z.infer<typeof CatalogBody>

export const CatalogKey = z.object({ catalog: CatalogName })
