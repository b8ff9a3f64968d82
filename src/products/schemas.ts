import { z } from 'zod'
import { limits } from '../limits.ts'
import { CatalogName, Id, OptionalText, PatchText, QueryFlag } from '../shapes.ts'
import type { Offer } from './product.ts'

const name = PatchText(limits.nameLength)
const value = PatchText(limits.valueLength)

const List = <T extends z.ZodType>(entry: T, max: number) =>
  z
    .array(entry)
    .max(max)
    .nullish()
    .transform((entries) => (entries === null ? [] : entries))

const required = (max: number) => z.string().trim().min(1, 'required').max(max)

const TOO_LONG = `a name has more than ${limits.nameLength} characters`

/** Names trimmed and unique; entries without a value are left out. */
const Named = <T extends z.ZodType<string | number>>(entry: T) =>
  z
    .record(z.string(), entry.nullable())
    .nullish()
    .transform((record, ctx): Record<string, z.output<T>> | undefined => {
      if (!record) return record === null ? {} : undefined
      const entries = new Map<string, z.output<T>>()
      const problem = (message: string) => ctx.addIssue({ code: 'custom', message })
      for (const [key, item] of Object.entries(record)) {
        const trimmed = key.trim()
        if (trimmed === '') problem('a name is empty')
        else if (trimmed.length > limits.nameLength) problem(TOO_LONG)
        else if (trimmed === '__proto__') problem('__proto__ is not allowed as a name')
        else if (entries.has(trimmed)) problem(`${trimmed} is named twice`)
        if (item !== null && item !== '') entries.set(trimmed, item as z.output<T>)
      }
      if (entries.size > limits.productAttributes) {
        problem(`more than ${limits.productAttributes} names`)
      }
      return Object.fromEntries(entries)
    })

const amount = z.number().min(0).nullish()

const Vendor = z
  .object({
    cost: amount,
    onHand: z.number().nullish(),
    inStock: z.boolean().nullish(),
    vendorPartNumber: OptionalText(limits.nameLength),
    vendorName: required(limits.nameLength),
    status: OptionalText(limits.nameLength),
    name: OptionalText(limits.productNameLength),
  })
  .transform(
    ({ cost = null, onHand = null, inStock, ...texts }): Offer => ({
      cost,
      onHand,
      inStock: inStock ?? (onHand !== null && onHand > 0),
      vendorPartNumber: texts.vendorPartNumber,
      vendorName: texts.vendorName,
      status: texts.status,
      name: texts.name,
    }),
  )

const Vendors = List(Vendor, limits.productOffers).superRefine((offers, ctx) => {
  const seen = new Set<string>()
  for (const [index, { vendorName }] of (offers ?? []).entries()) {
    if (seen.has(vendorName)) {
      const message = `${vendorName} is listed twice`
      ctx.addIssue({ code: 'custom', message, path: [index, 'vendorName'] })
    }
    seen.add(vendorName)
  }
})

const Image = z.object({
  id: OptionalText(limits.idLength),
  url: required(limits.valueLength),
  name: OptionalText(limits.productNameLength),
  type: OptionalText(limits.nameLength),
  isCustom: z.boolean().nullish(),
})

// Custom images are annotations: those that a caller puts back are not catalog data.
const Images = List(Image, limits.productListEntries).transform((images) =>
  images?.filter(({ isCustom }) => !isCustom).map(({ isCustom, ...image }) => image),
)

const Link = z.object({
  type: OptionalText(limits.nameLength).transform((text) => text ?? ''),
  value: required(limits.valueLength),
  recommended: z
    .boolean()
    .nullish()
    .transform((flag) => flag ?? false),
})

const Upcs = List(z.string().trim().max(limits.nameLength), limits.productListEntries).transform(
  (upcs) => upcs && [...new Set(upcs.filter((upc) => upc !== ''))],
)

const ownId = z
  .string()
  .max(limits.idLength)
  .refine((id) => id !== '.' && id !== '..', 'must not be . or ..')
  .nullish()
  .transform((id) => id || undefined)

/** Product 4.0 as a caller sends it. Decodes to a patch; fields that the service owns are ignored. */
export const ProductBody = z
  .object({
    id: ownId,
    description: value,
    manufacturer: name,
    manufacturerPartNumber: name,
    name: PatchText(limits.productNameLength),
    image: value,
    unspsc: name,
    segment: name,
    category: name,
    subCategory: name,
    msrp: amount,
    images: Images,
    vendors: Vendors,
    attributes: Named(z.string().max(limits.valueLength)),
    filters: Named(z.number()),
    facets: Named(z.string().max(limits.valueLength)),
    links: List(Link, limits.productListEntries),
    upcs: Upcs,
  })
  .meta({ id: 'ProductRequest' })

/** Product 1.0 as a caller sends it. */
export const ProductBody10 = ProductBody.omit({ upcs: true })

/** GetByIdsRequest; entries without an id are passed over. */
export const GetByIdsRequest = z.object({
  ids: z
    .array(z.string().max(limits.idLength).nullable())
    .max(limits.idsPerRequest)
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== null && id !== '') as string[]),
})

export const CatalogPath = z.object({ catalog: CatalogName })
export const ProductPath = z.object({ catalog: CatalogName, id: Id })

/** The same under 1.0, where the catalog's parameter is called `name`. */
export const CatalogPath10 = z
  .object({ name: CatalogName })
  .transform((path) => ({ catalog: path.name }))
export const ProductPath10 = z
  .object({ name: CatalogName, id: Id })
  .transform(({ name, id }) => ({ catalog: name, id }))

export const VendorDetails = z.object({ includeVendorDetails: QueryFlag(true) })
