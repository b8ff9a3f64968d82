import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, Name, OptionalText } from '../shapes.ts'

const text = OptionalText(limits.valueLength)
const flag = Flag(false)

/** A field of an extension, as a manifest declares it (interface: FieldDefinition). */
export const FieldDeclaration = z
  .object({
    field: Name,
    description: text,
    fieldType: text,
    defaultValue: text,
    protected: flag,
    dataType: text,
    hasOptions: flag,
    adHocOnlyField: flag,
    optionsFields: z
      .array(z.object({ type: text, field: Name }))
      .max(limits.extensionFields)
      .nullish()
      .transform((fields) => fields ?? []),
    searchable: flag,
    sharedKey: text,
    sharedId: text,
    optional: flag,
  })
  .meta({ id: 'FieldDeclaration' })

/**
 * A field of an extension (interface: FieldDefinition). An installed one shows its value as
 * `defaultValue`; of a protected field null.
 */
export const FieldDefinition = z
  .object({
    field: z.string(),
    description: z.string().nullable(),
    fieldType: z.string().nullable(),
    defaultValue: z.string().nullable(),
    protected: z.boolean(),
    dataType: z.string().nullable(),
    hasOptions: z.boolean(),
    adHocOnlyField: z.boolean(),
    optionsFields: z.array(z.object({ type: z.string().nullable(), field: z.string() })),
    searchable: z.boolean(),
    sharedKey: z.string().nullable(),
    sharedId: z.string().nullable(),
    optional: z.boolean(),
  })
  .meta({ id: 'FieldDefinition' })
export type FieldDefinition = z.infer<typeof FieldDefinition>

/** A field of a built-in extension: a required text unless said otherwise. */
export const field = (
  name: string,
  description: string,
  more: Partial<FieldDefinition> = {},
): FieldDefinition => ({
  field: name,
  description,
  fieldType: 'text',
  defaultValue: null,
  protected: false,
  dataType: 'string',
  hasOptions: false,
  adHocOnlyField: false,
  optionsFields: [],
  searchable: false,
  sharedKey: null,
  sharedId: null,
  optional: false,
  ...more,
})
