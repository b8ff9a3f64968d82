import { z } from 'zod'
import { FieldTexts } from '../extensions/fields.ts'
import { Sample } from '../extensions/trial-schemas.ts'
import { ImportRequest } from '../imports/schemas.ts'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { OptionalText, withDescriptionsOf } from '../shapes.ts'
import { outcome } from './schemas.ts'

const SampleFields = FieldTexts.transform((fields) => fields ?? {})

export const ImportSampleRequest = z
  .object({
    additionalFields: SampleFields.describe(
      'Values by field of the extension, as for an installation.',
    ),
  })
  .meta({ id: 'ImportSampleRequest' })

const fileText = OptionalText(limits.valueLength)
const flag = z.boolean().nullish()

/** The request with the file fields of an ImportQueueRequest, whose other fields are ignored. */
export const ImportExtensionMappingSampleRequest = allowIgnoredFields(
  z.object(
    withDescriptionsOf(ImportRequest.shape, {
      additionalFields: SampleFields.describe(
        'Values by field of the extension, as for an installation. Fields beside this object take precedence.',
      ),
      fileUrl: fileText,
      username: fileText,
      password: fileText,
      fileType: fileText,
      delimiter: z.string().max(8).nullish(),
      quoteChar: z.string().max(8).nullish(),
      header: flag.describe('Whether the first row contains headings. Detected if omitted.'),
      zipped: flag,
      zippedFile: fileText,
      sheet: fileText,
    }),
  ),
  [...Object.keys(ImportRequest.shape), 'apiKey'],
).meta({ id: 'ImportExtensionMappingSampleRequest' })

export const ImportSampleResponse = z.object({ ...outcome, columns: Sample.shape.columns }).meta({
  id: 'ImportSampleResponse',
  description: 'The first rows, or the reason why they cannot be read.',
})

/** ImportExtensionMappingSampleResponse: a column is its heading and then its first values. */
export const ImportExtensionMappingSampleResponse = z.object({ ...outcome, ...Sample.shape }).meta({
  id: 'ImportExtensionMappingSampleResponse',
  description: 'The first rows with a suggested mapping, or the reason why they cannot be read.',
})
