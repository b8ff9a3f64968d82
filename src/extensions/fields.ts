import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag, Name, OptionalText } from '../shapes.ts'

const text = OptionalText(limits.valueLength)
const flag = Flag(false)

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

/** A field of an extension. In an installation, `defaultValue` is its value, unless protected. */
export const FieldDefinition = z
  .object({
    field: z.string().describe('Its name: the key of its value.'),
    description: z.string().nullable().describe('What to ask people for.'),
    fieldType: z
      .string()
      .nullable()
      .describe('How to ask: `text`, `textarea`, `password`, `select` or `checkbox`.'),
    defaultValue: z
      .string()
      .nullable()
      .describe(
        'Taken when nothing is given; of an installed extension its value, null where that is protected.',
      ),
    protected: z.boolean().describe('The value is kept encrypted and never shown.'),
    dataType: z
      .string()
      .nullable()
      .describe(
        'What the value must be: `string`, `number`, `boolean`, `url` (http or https) or `date` (a day as 2027-02-01).',
      ),
    hasOptions: z.boolean().describe('The options operations list values.'),
    adHocOnlyField: z.boolean().describe('Given with each run instead of stored.'),
    optionsFields: z
      .array(
        z.object({
          type: z.string().nullable().describe('As the extension says it.'),
          field: z.string(),
        }),
      )
      .describe('Fields on which the options depend.'),
    searchable: z.boolean().describe('The options can be searched.'),
    sharedKey: z
      .string()
      .nullable()
      .describe(
        'One value for all extensions of the organization with this key; null: the extension has its own.',
      ),
    sharedId: z
      .string()
      .nullable()
      .describe('Names it among several fields of one `sharedKey`; null: its name does.'),
    optional: z.boolean().describe('It may be left out.'),
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
