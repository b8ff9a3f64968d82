import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Product10 } from '../products/response-schemas.ts'
import { CatalogName, CatalogQuery, Exact, Id, Name, NullishBoolean, Paging } from '../shapes.ts'

export const FavoritesPage = Paging.extend(CatalogQuery.shape)
export type FavoritesPage = z.output<typeof FavoritesPage>
export const FavoritePath = z.object({ id: Id.describe('Id of the product.') })

/** Favorite (interface): absent and null leave a mark unchanged. */
export const Favorite = z.object({
  company: NullishBoolean.describe(
    'Whether the product is a favorite of the organization. Only editors can set it. Omitted and `null` leave it unchanged.',
  ),
  user: NullishBoolean.describe(
    'Whether the product is a favorite of the caller. Omitted and `null` leave it unchanged.',
  ),
})
export type Favorite = z.output<typeof Favorite>

// Notes round-trip unchanged, so they are not trimmed. Null and empty remove the note.
const noteText = z
  .string()
  .max(limits.valueLength)
  .nullable()
  .transform((text) => text || null)

/** NoteRequest 2.0. Also accepts ProductNotes 1.0 and a note as it is returned. */
export const NoteRequest = allowIgnoredFields(
  z.object({
    text: noteText.describe(
      "Text of the caller's note, stored unchanged. `null` and an empty text delete the note.",
    ),
  }),
  ['username', 'productId', 'catalog', 'created', 'updated'],
)

/** NoteResponse 2.0: all notes of the organization. */
export const NoteResponse = z
  .object({
    notes: z
      .array(
        z.object({
          username: z.string().describe('Author of the note.'),
          text: z.string().describe('Text of the note.'),
          created: z.iso.datetime().describe('Time at which the author first wrote the note.'),
          updated: z.iso.datetime().describe('Time at which the author last changed the note.'),
        }),
      )
      .describe('All notes of the organization, one per user.'),
  })
  .describe('The notes on a product.')

/** ProductNotes 1.0: the caller's own note, empty when there is none. */
export const ProductNotes = z
  .object({
    text: z.string().describe('Text of the note. Empty if there is none.'),
    username: z.string().describe('Name of the caller.'),
    productId: z.string(),
    catalog: z.string(),
  })
  .describe("The caller's note on a product.")

/** Distinct tags, in the order of the body. */
export const Tags = z
  .array(z.string().trim().max(limits.catalogNameLength))
  // Duplicates are not counted, but not any number of them is parsed.
  .max(2 * limits.productTags)
  .transform((tags) => [...new Set(tags)].filter((tag) => tag !== ''))
  .refine((tags) => tags.length <= limits.productTags, `more than ${limits.productTags} tags`)
  .describe(
    `The complete list of tags, which replaces the previous one. Duplicates are removed. Up to ${limits.productTags} tags.`,
  )

/** The tag operations name the product's id `productId`. */
export const TagsPath = z
  .object({ catalog: CatalogName, productId: Id.describe('Id of the product.') })
  .transform(({ catalog, productId }) => ({ catalog, id: productId }))

// A criterion joins the extension and the field as `extension/field`.
const Extension = Name.regex(/^[^/]*$/, 'must not contain /')
export const ExtensionPart = z.object({
  extension: Extension.describe('Any name for the extension, without a slash.'),
})
export const FieldPart = z.object({
  extension: Extension.describe('Any name for the extension, without a slash.'),
  field: Name.describe('Any name for the field.'),
})

/** ExtensionFieldRequest: absent, null and empty remove the field. */
export const ExtensionFieldRequest = allowIgnoredFields(
  z.object({
    value: Exact(limits.valueLength).describe(
      'Value of the field. Omitted, `null` and empty values delete the field.',
    ),
  }),
  ['extensionId', 'key'],
)

export const ExtensionFieldResponse = z
  .object({
    fields: z.array(Product10.shape.extensionFields.element),
  })
  .describe('Extension fields of a product.')

// Trimmed like the links of a product, so that a returned link can be sent back.
export const LinkPart = z.object({
  extensionId: Name.trim()
    .pipe(Name)
    .describe('Id of the extension, which becomes the `type` of the link.'),
  externalId: Id.trim()
    .pipe(Id)
    .describe(
      "Id of the product in the extension's system, which becomes the `value` of the link.",
    ),
})
