import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Product10 } from '../products/response-schemas.ts'
import { CatalogName, CatalogQuery, Id, Name, Paging } from '../shapes.ts'

export const FavoritesPage = Paging.extend(CatalogQuery.shape)
export const FavoritePath = z.object({ id: Id.describe('Id of the product.') })

/** Favorite (interface): absent and null leave a mark unchanged. */
export const Favorite = z.object({
  company: z
    .boolean()
    .nullish()
    .describe("The organization's mark, for editors; absent and null leave it."),
  user: z.boolean().nullish().describe("The caller's mark; absent and null leave it."),
})
export type Favorite = z.output<typeof Favorite>

// Notes round-trip unchanged, so they are not trimmed. Null and empty remove the note.
const noteText = z
  .string()
  .max(limits.valueLength)
  .nullable()
  .transform((text) => text || null)

/** NoteRequest 2.0, ProductNotes 1.0, or a note as it is answered. */
export const NoteRequest = allowIgnoredFields(
  z.object({
    text: noteText.describe("The caller's note, kept as it is; null and empty remove it."),
  }),
  ['username', 'productId', 'catalog', 'created', 'updated'],
)

/** NoteResponse 2.0: all notes of the organization. */
export const NoteResponse = z
  .object({
    notes: z
      .array(
        z.object({
          username: z.string().describe('Who wrote it.'),
          text: z.string().describe('As it was written.'),
          created: z.iso.datetime().describe('When its user first wrote it.'),
          updated: z.iso.datetime().describe('When its user changed it last.'),
        }),
      )
      .describe('All of the organization, one of each user.'),
  })
  .describe('Notes of the product.')

/** ProductNotes 1.0: the caller's own note, empty when there is none. */
export const ProductNotes = z
  .object({
    text: z.string().describe("The caller's note; empty where there is none."),
    username: z.string().describe('The caller.'),
    productId: z.string(),
    catalog: z.string(),
  })
  .describe("The caller's note of the product.")

/** A set of tags, in the order of the body. */
export const Tags = z
  .array(z.string().trim().max(limits.catalogNameLength))
  .transform((tags) => [...new Set(tags)].filter((tag) => tag !== ''))
  .refine((tags) => tags.length <= limits.productTags, `more than ${limits.productTags} tags`)
  .describe(`All tags from now on, each once; up to ${limits.productTags}.`)

/** The tag operations name the product's id `productId`. */
export const TagsPath = z
  .object({ catalog: CatalogName, productId: Id.describe('Id of the product.') })
  .transform(({ catalog, productId }) => ({ catalog, id: productId }))

// A criterion joins the two as `extension/field`.
const Extension = Name.regex(/^[^/]*$/, 'must not contain /')
export const ExtensionPart = z.object({
  extension: Extension.describe('Name of the extension, any without a slash.'),
})
export const FieldPart = z.object({
  extension: Extension.describe('Name of the extension, any without a slash.'),
  field: Name.describe('Name of the field, any.'),
})

/** ExtensionFieldRequest: absent, null and empty remove the field. */
export const ExtensionFieldRequest = allowIgnoredFields(
  z.object({
    value: z
      .string()
      .max(limits.valueLength)
      .nullish()
      .transform((value) => value || null)
      .describe('Absent, null and empty remove the field.'),
  }),
  ['extensionId', 'key'],
)

export const ExtensionFieldResponse = z
  .object({
    fields: z.array(Product10.shape.extensionFields.element),
  })
  .describe('Fields that extensions have on the product.')

// Trimmed like the links of a product, so that an answer can be sent back.
export const LinkPart = z.object({
  extensionId: Name.trim()
    .pipe(Name)
    .describe('`type` of the link: the extension whose link it is.'),
  externalId: Id.trim()
    .pipe(Id)
    .describe('`value` of the link: what the extension calls the product.'),
})
