import { z } from 'zod'
import { limits } from '../limits.ts'
import { ProductPath } from '../products/schemas.ts'
import { CatalogName, Id, Name, Paging } from '../shapes.ts'

/** `?catalog=`: absent and empty mean the default catalog. */
export const CatalogQuery = z.object({ catalog: CatalogName.or(z.literal('')).optional() })
export const FavoritesPage = Paging.extend(CatalogQuery.shape)
export const FavoritePath = z.object({ id: Id })

/** Favorite (interface): absent and null leave a mark as it is. */
export const Favorite = z.object({ company: z.boolean().nullish(), user: z.boolean().nullish() })
export type Favorite = z.output<typeof Favorite>

// What was got comes back the same: no trimming. Null and empty remove the note.
const noteText = z
  .string()
  .max(limits.valueLength)
  .nullable()
  .transform((text) => text || null)

/** NoteRequest 2.0; of ProductNotes 1.0 the other fields are the service's and ignored. */
export const NoteRequest = z.object({ text: noteText })

/** NoteResponse 2.0: all notes of the organization. */
export const NoteResponse = z.object({
  notes: z.array(
    z.object({
      username: z.string(),
      text: z.string(),
      created: z.iso.datetime(),
      updated: z.iso.datetime(),
    }),
  ),
})

/** ProductNotes 1.0: the caller's own note, an empty text where there is none. */
export const ProductNotes = z.object({
  text: z.string(),
  username: z.string(),
  productId: z.string(),
  catalog: z.string(),
})

/** A set of tags in the order of the body. */
export const Tags = z
  .array(z.string().trim().max(limits.catalogNameLength))
  .transform((tags) => [...new Set(tags)].filter((tag) => tag !== ''))
  .refine((tags) => tags.length <= limits.productTags, `more than ${limits.productTags} tags`)

/** The tag operations call the product's id `productId`. */
export const TagsPath = z
  .object({ catalog: CatalogName, productId: Id })
  .transform(({ catalog, productId }) => ({ catalog, id: productId }))

// In a criterion the two are one name, `extension/field`.
const Extension = Name.regex(/^[^/]*$/, 'must not contain /')
const ExtensionPart = z.object({ extension: Extension })
const FieldPart = z.object({ extension: Extension, field: Name })
export const ExtensionPath = ProductPath.extend(ExtensionPart.shape)
export const FieldPath = ProductPath.extend(FieldPart.shape)

/** ExtensionFieldRequest: absent, null and empty remove the field. */
export const ExtensionFieldRequest = z.object({
  value: z
    .string()
    .max(limits.valueLength)
    .nullish()
    .transform((value) => value || null),
})

export const ExtensionFieldResponse = z.object({
  fields: z.array(z.object({ extensionId: z.string(), key: z.string(), value: z.string() })),
})

// Trimmed as the links of a product are, so that what was got can be put back.
const LinkPart = z.object({
  extensionId: Name.trim().pipe(Name),
  externalId: Id.trim().pipe(Id),
})
export const LinkPath = ProductPath.extend(LinkPart.shape)

const Path10 = z.object({ name: CatalogName, id: Id })
const under10 = <T extends { name: string }>({ name, ...path }: T) => ({ ...path, catalog: name })

/** The same under 1.0, where the catalog's parameter is called `name`. */
export const ExtensionPath10 = Path10.extend(ExtensionPart.shape).transform(under10)
export const FieldPath10 = Path10.extend(FieldPart.shape).transform(under10)
export const LinkPath10 = Path10.extend(LinkPart.shape).transform(under10)
