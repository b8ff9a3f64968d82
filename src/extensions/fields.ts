import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, ListOf, Name, NullableText, OptionalText, RecordOf } from '../shapes.ts'

const text = OptionalText(limits.valueLength)
const flag = Flag(false)

/** Values in a request by field. */
export const FieldTexts = RecordOf(
  [z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable()],
  limits.extensionFields,
).nullish()

const FIELD_TYPES = ['text', 'textarea', 'password', 'select', 'checkbox']
const DATA_TYPES = ['string', 'number', 'boolean', 'url', 'date']

const oneOf = (known: readonly string[]) =>
  text.refine((name) => name === null || known.includes(name), `must be one of ${known.join(', ')}`)

/** A field of an extension, as a manifest declares it. */
export const FieldDeclaration = z
  .object({
    field: Name,
    description: text,
    fieldType: oneOf(FIELD_TYPES),
    defaultValue: text,
    protected: flag,
    dataType: oneOf(DATA_TYPES),
    hasOptions: flag,
    adHocOnlyField: flag,
    optionsFields: ListOf(z.object({ type: text, field: Name }), limits.extensionFields),
    searchable: flag,
    sharedKey: text,
    sharedId: text,
    optional: flag,
  })
  .meta({ id: 'FieldDeclaration' })

/** A field of an extension. In an installation, `defaultValue` is its value, unless protected. */
export const FieldDefinition = z
  .object({
    field: z.string().describe('Name of the field, used as the key of its value.'),
    description: NullableText.describe('Label or explanation to show to users.'),
    fieldType: NullableText.describe(
      'Input control to show: `text`, `textarea`, `password`, `select` or `checkbox`.',
    ),
    defaultValue: NullableText.describe(
      'Default value. For an installed extension, the current value, or `null` if it is protected.',
    ),
    protected: z.boolean().describe('Whether the value is stored encrypted and never returned.'),
    dataType: NullableText.describe(
      'Type of the value: `string`, `number`, `boolean`, `url` (http or https) or `date` (a day such as 2027-02-01).',
    ),
    hasOptions: z.boolean().describe('Whether the options operations list values for the field.'),
    adHocOnlyField: z
      .boolean()
      .describe('Whether the value is given with each run instead of being stored.'),
    optionsFields: z
      .array(
        z.object({
          type: NullableText.describe('Type, as stated by the extension.'),
          field: z.string(),
        }),
      )
      .describe('Fields on which the options depend.'),
    searchable: z.boolean().describe('Whether the options can be searched.'),
    sharedKey: NullableText.describe(
      'Key under which all extensions of the organization share one value. `null` if the extension has its own.',
    ),
    sharedId: NullableText.describe(
      'Identifies the field among several with the same `sharedKey`. `null` if its name does.',
    ),
    optional: z.boolean().describe('Whether the field can be omitted.'),
  })
  .meta({ id: 'FieldDefinition' })
export type FieldDefinition = z.infer<typeof FieldDefinition>

/** An optional field of a built-in extension. */
export const optionalField = (
  name: string,
  description: string,
  more: Partial<FieldDefinition> = {},
): FieldDefinition => field(name, description, { optional: true, ...more })

/** A field of a built-in extension, by default a required text. */
export const field = (
  name: string,
  description: string,
  more: Partial<FieldDefinition> = {},
): FieldDefinition =>
  FieldDeclaration.parse({
    field: name,
    description,
    fieldType: 'text',
    dataType: 'string',
    ...more,
  })
