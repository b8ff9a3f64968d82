import type { ExtensionOf } from '../extensions/contract.ts'
import { type FieldDefinition, optionalField } from '../extensions/fields.ts'
import type { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import { FILE_TYPES } from '../formats/registry.ts'
import { dryRunOf } from './dry-run.ts'
import { withBooleans } from './request.ts'
import { sampleOf } from './sample.ts'
import { FILE_EXTENSION } from './start.ts'

const flag = (name: string, description: string) =>
  optionalField(name, description, { fieldType: 'checkbox', dataType: 'boolean' })

/** The fields of an ImportQueueRequest that an installation keeps, as texts. */
const FIELDS: readonly FieldDefinition[] = [
  optionalField('fileUrl', 'File URL. An HTTP or HTTPS address, or the URL of an uploaded file.', {
    dataType: 'url',
  }),
  optionalField('username', 'Username. If the address requires sign-in.'),
  optionalField('password', 'Password. If the address requires sign-in.', {
    fieldType: 'password',
    protected: true,
  }),
  optionalField('fileType', 'File type. Default: detected from the file name.', {
    fieldType: 'select',
    hasOptions: true,
  }),
  optionalField('delimiter', 'Delimiter. Default: detected.'),
  optionalField('quoteChar', 'Quote character. Default: ".'),
  flag('header', 'First row is a header. Default: yes.'),
  optionalField('zippedFile', 'File in archive. Required if a ZIP archive contains several files.'),
  optionalField('sheet', 'Worksheet. Default: the first visible sheet.'),
  flag('createProducts', 'Create new products. Default: yes.'),
  flag('updateMetadata', 'Update existing products. Default: yes. If no, only prices and stock.'),
  flag('normalizeManufacturerName', 'Unify manufacturer names. Default: no.'),
  flag(
    'fullFile',
    'File contains all offers of the vendor. Default: no. If yes, other offers are removed.',
  ),
  optionalField(
    'missing',
    'Products left without offers. “keep”, “hide” or “delete”. Default: keep.',
  ),
  optionalField('pictures', 'Images. “keep” links images, “fetch” copies them. Default: keep.'),
]

const TYPES = FILE_TYPES.map((type, at) => ({ value: type, display: type, default: at === 0 }))

/** Imports a file that was uploaded or is at an address. */
const fileImport: ExtensionOf<'import'> = {
  manifest: {
    id: FILE_EXTENSION,
    kind: 'import',
    name: 'File',
    description: 'Import products and offers from an uploaded file or a URL.',
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
  run: async ({ installed }) => ({ request: withBooleans(installed.fields) }),
}

/** Import extensions that need no registration. */
export const builtIns: readonly ExtensionOf<'import'>[] = [fileImport]
