import { Invalid } from '../errors.ts'
import type {
  Call,
  ExportExtension,
  ExtensionOf,
  Manifest,
  RunRequest,
  Validation,
} from '../extensions/contract.ts'
import { checkNames } from '../extensions/field-values.ts'
import { type FieldDefinition, field } from '../extensions/fields.ts'
import { newFileId } from '../files/store.ts'
import { limits } from '../limits.ts'
import { checkWebhookSecret } from '../platform/webhook-signature.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { ExportJob, FileTarget, Selection } from './job.ts'
import { optionsOf } from './options.ts'
import { sealPlace } from './send-pages.ts'
import { csvSettings, pageSizeIn, searchIn, type Values } from './settings.ts'
import { exportNow, queueExport, selectionOf } from './start.ts'

const optional = (name: string, description: string, more: Partial<FieldDefinition> = {}) =>
  field(name, description, { optional: true, ...more })

const SEARCH = optional(
  'search',
  'Body of a search as JSON: only the products of the catalog that it finds',
)

const CSV_FIELDS = [
  optional('columns', 'Columns, between commas; those that the products have when absent', {
    hasOptions: true,
  }),
  optional('delimiter', 'Sign between cells', { defaultValue: 'comma', hasOptions: true }),
  optional('encoding', 'With or without a byte order mark, which some spreadsheets need', {
    defaultValue: 'utf-8',
    hasOptions: true,
  }),
  SEARCH,
]

const HTTP_FIELDS = [
  field('url', 'Where the pages are sent', { dataType: 'url' }),
  field('secret', 'Signs each page by Standard Webhooks: whsec_ and at least 16 bytes as base64', {
    fieldType: 'password',
    protected: true,
  }),
  optional('pageSize', 'Products in a page', {
    dataType: 'number',
    defaultValue: String(limits.exportPage),
  }),
  SEARCH,
]

const manifestOf = (
  id: string,
  name: string,
  more: Pick<Manifest, 'description' | 'fields'>,
): ExportExtension['manifest'] => ({
  id,
  kind: 'export',
  name,
  image: null,
  configUrl: null,
  calls: ['validate', 'options', 'run', 'links', 'possibleMatches'],
  noStore: false,
  mapToVendor: false,
  allowAdHocItems: false,
  ...more,
})

/** Values of a run. What is not a field is refused, and a run changes no address and no secret. */
function valuesOf(manifest: Manifest, { installed, request }: Call<RunRequest>): Values {
  checkNames(manifest, 'additionalFields', request.additionalFields)
  for (const name of Object.keys(request.additionalFields)) {
    const known = manifest.fields.find((one) => one.field === name)
    if (!known?.optional) throw new Invalid(`additionalFields.${name}: is set by the installation`)
  }
  return { ...installed.fields, ...request.additionalFields }
}

async function problemsIn(check: () => void): Promise<Validation> {
  try {
    check()
    return { problems: [] }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [place, ...parts] = error.message.split(': ')
    const name = parts.length > 0 ? (/^\w+/.exec(place!)?.[0] ?? '') : ''
    const message = name === '' ? error.message : parts.join(': ')
    return { problems: [{ field: `additionalData.${name}`, message }] }
  }
}

/** A file: at once for products that are named, by a task for a catalog. */
function fileExport(
  manifest: ExportExtension['manifest'],
  { type, to }: { type: string; to: (values: Values) => FileDestination },
): ExportExtension {
  const { id } = manifest
  return {
    manifest,
    validate: ({ installed }) =>
      problemsIn(() => {
        to(installed.fields)
        searchIn(installed.fields)
      }),
    options: optionsOf,
    async run(call) {
      const { installed } = call
      const values = valuesOf(manifest, call)
      const selection = selectionOf(call, values)
      const name = await titleOf(call, selection)
      const file: FileTarget = { id: newFileId(), name: `${name}.${id}`, type }
      const { id: installation, name: called } = installed
      const job = {
        installed: { id: installation, name: called },
        selection,
        to: { ...to(values), file },
      }
      return selection.products ? exportNow(call, job) : queueExport(call, job)
    },
  }
}

/** What the file of an export is called, without its ending. */
async function titleOf(
  { ctx, request }: Call<RunRequest>,
  { products, catalog }: Selection,
): Promise<string> {
  if (request.workspace !== null) return (await openWorkspace(ctx, request.workspace)).name
  return products ? 'products' : catalog
}

type FileDestination =
  | Omit<Extract<ExportJob['to'], { format: 'csv' }>, 'file'>
  | Omit<Extract<ExportJob['to'], { format: 'jsonl' }>, 'file'>

const csv = fileExport(
  manifestOf('csv', 'CSV file', {
    description: 'A table of products and offers, for spreadsheets.',
    fields: CSV_FIELDS,
  }),
  {
    type: 'text/csv; charset=utf-8',
    to: (values) => ({ format: 'csv', csv: csvSettings(values) }),
  },
)

const jsonl = fileExport(
  manifestOf('jsonl', 'JSON lines file', {
    description: 'A product on each line, with everything that the interface shows of it.',
    fields: [SEARCH],
  }),
  { type: 'application/x-ndjson', to: () => ({ format: 'jsonl' }) },
)

const HTTP = manifestOf('http', 'HTTP', {
  description: 'Pages of products, posted to an address and signed by Standard Webhooks.',
  fields: HTTP_FIELDS,
})

const http: ExportExtension = {
  manifest: HTTP,
  validate: ({ ctx, installed: { fields } }) =>
    problemsIn(() => {
      ctx.outbound.check(fields.url!, 'url')
      checkWebhookSecret(fields.secret!, 'secret')
      pageSizeIn(fields)
      searchIn(fields)
    }),
  async run(call) {
    const { ctx, installed } = call
    const values = valuesOf(HTTP, call)
    const { url = '', secret = '' } = values
    ctx.outbound.check(url, 'url')
    checkWebhookSecret(secret, 'secret')
    const pages = {
      url,
      secret: ctx.secrets.seal(secret, sealPlace(ctx.organization.id, url)),
      pageSize: pageSizeIn(values),
    }
    return queueExport(call, {
      installed: { id: installed.id, name: installed.name },
      selection: selectionOf(call, values),
      to: { format: 'http', pages },
    })
  },
}

/** Export extensions that need no registration. */
export const builtIns: readonly ExtensionOf<'export'>[] = [csv, jsonl, http]
