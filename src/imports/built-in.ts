import type { ExtensionOf } from '../extensions/contract.ts'
import { type FieldDefinition, optionalField } from '../extensions/fields.ts'
import type { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import { FILE_TYPES } from '../formats/registry.ts'
import { dryRunOf } from './dry-run.ts'
import { typed } from './request.ts'
import { sampleOf } from './sample.ts'
import { FILE_EXTENSION } from './start.ts'

const flag = (name: string, description: string) =>
  optionalField(name, description, { fieldType: 'checkbox', dataType: 'boolean' })

/** The fields of an ImportQueueRequest that an installation keeps, as texts. */
const FIELDS: readonly FieldDefinition[] = [
  optionalField('fileUrl', 'Where the file is: http, https, or the url of an uploaded file', {
    dataType: 'url',
  }),
  optionalField('username', 'User name for that address'),
  optionalField('password', 'Password for that address', {
    fieldType: 'password',
    protected: true,
  }),
  optionalField('fileType', 'Type of the file; by its name when absent', {
    fieldType: 'select',
    hasOptions: true,
  }),
  optionalField('delimiter', 'Sign between cells; found out when absent'),
  optionalField('quoteChar', 'Sign around cells that hold the delimiter; " when absent'),
  flag('header', 'The first row names the columns; true when absent'),
  optionalField('zippedFile', 'Name of the file in a zip archive of several'),
  optionalField('sheet', 'Sheet of a workbook; the first visible one when absent'),
  flag('createProducts', 'Products that are not there are created; true when absent'),
  flag('updateMetadata', 'Data of products that are there is changed; true when absent'),
  flag('normalizeManufacturerName', 'Each manufacturer gets one name; false when absent'),
  flag('fullFile', 'Offers of the vendor that the file does not list go; false when absent'),
  optionalField(
    'missing',
    'With it: keep, hide or delete products whose last offer goes; keep when absent',
  ),
  optionalField('pictures', 'keep their addresses, or fetch them; keep when absent'),
]

const TYPES = FILE_TYPES.map((type, at) => ({ value: type, display: type, default: at === 0 }))

/** Imports a file that was uploaded or is at an address. */
const fileImport: ExtensionOf<'import'> = {
  manifest: {
    id: FILE_EXTENSION,
    kind: 'import',
    name: 'File',
    description: 'Products and offers from a file that was uploaded or lies at an address.',
    image: null,
    configUrl: null,
    fields: FIELDS,
    calls: ['validate', 'sample', 'options', 'run'],
    noStore: false,
    mapToVendor: true,
    allowAdHocItems: false,
  },
  options: async ({ request: { field, search } }): Promise<ExtensionOptionsResponse> => ({
    error: null,
    success: true,
    options: field === 'fileType' ? TYPES.filter(({ value }) => value.includes(search ?? '')) : [],
  }),
  sample: ({ ctx, request }) => sampleOf(ctx, request),
  validate: ({ ctx, installed, request }) =>
    dryRunOf(
      ctx,
      {
        ...installed.fields,
        vendor: installed.vendor,
        targetCatalog: installed.catalog,
        mappings: request.mappings,
      },
      installed,
    ),
  run: async ({ installed }) => ({ request: typed(installed.fields) }),
}

/** Import extensions that need no registration. */
export const builtIns: readonly ExtensionOf<'import'>[] = [fileImport]
