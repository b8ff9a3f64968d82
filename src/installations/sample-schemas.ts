import { z } from 'zod'
import { Mapping } from '../extensions/mapping.ts'
import { ImportRequest } from '../imports/schemas.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { OptionalText, withDescriptionsOf } from '../shapes.ts'
import { outcome } from './schemas.ts'

const text = z.string().nullable()

const SampleFields = z
  .record(z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable())
  .nullish()
  .transform((fields) => fields ?? {})

export const ImportSampleRequest = z
  .object({
    additionalFields: SampleFields.describe(
      'Values by field of the extension, as of an installation.',
    ),
  })
  .meta({ id: 'ImportSampleRequest' })

const fileText = OptionalText(limits.valueLength)
const flag = z.boolean().nullish()

/**
 * ImportExtensionMappingSampleRequest: the same with the file fields of an ImportQueueRequest; its
 * other fields are ignored.
 */
export const ImportExtensionMappingSampleRequest = allowIgnoredFields(
  z.object(
    withDescriptionsOf(ImportRequest.shape, {
      additionalFields: SampleFields.describe(
        'Values by field of the extension, as of an installation; those beside it go before.',
      ),
      fileUrl: fileText,
      username: fileText,
      password: fileText,
      fileType: fileText,
      delimiter: z.string().max(8).nullish(),
      quoteChar: z.string().max(8).nullish(),
      header: flag.describe('The first row holds headings; found out when absent.'),
      zipped: flag,
      zippedFile: fileText,
      sheet: fileText,
    }),
  ),
  [...Object.keys(ImportRequest.shape), 'apiKey'],
).meta({ id: 'ImportExtensionMappingSampleRequest' })

const columns = z
  .array(z.array(z.string()))
  .describe('One list for each column: its heading, then its first values.')

export const ImportSampleResponse = z
  .object({ ...outcome, columns })
  .meta({ id: 'ImportSampleResponse', description: 'The first rows, or why they cannot be read.' })

/** ImportExtensionMappingSampleResponse: a column is its heading and then its first values. */
export const ImportExtensionMappingSampleResponse = z
  .object({
    ...outcome,
    columns,
    mappings: z
      .array(
        z.object({
          ...withDescriptionsOf(Mapping.shape, {
            column: z.number(),
            field: z.string(),
            attribute: text,
          }),
          confidence: z.number().describe('How surely, between 0 and 1.'),
        }),
      )
      .describe('Suggested for the columns that could be told.'),
    detected: z
      .object({
        encoding: text,
        delimiter: text.describe('What divides the cells of a row.'),
        quoteChar: text,
        header: z.boolean().describe('The first row holds headings.'),
        decimal: text.describe('Decimal sign of the numbers.'),
      })
      .nullable()
      .describe('How the file was understood; null where the source is no file.'),
  })
  .meta({
    id: 'ImportExtensionMappingSampleResponse',
    description: 'The first rows with a suggested mapping, or why they cannot be read.',
  })
