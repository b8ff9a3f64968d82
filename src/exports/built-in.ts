import { Invalid } from '../errors.ts'
import type {
  Call,
  ExportExtension,
  ExtensionOf,
  Manifest,
  OptionsRequest,
  RunRequest,
} from '../extensions/contract.ts'
import { checkNames } from '../extensions/field-values.ts'
import { field, optionalField } from '../extensions/fields.ts'
import type { ExtensionOptionsResponse } from '../extensions/schemas.ts'
import { problemsOf } from '../extensions/value-problem.ts'
import { newFileId } from '../files/store.ts'
import type { FileWriter, ProductNames } from '../formats/file-writer.ts'
import { FORMATS } from '../formats/registry.ts'
import { limits } from '../limits.ts'
import { checkWebhookSecret } from '../platform/webhook-signature.ts'
import { fold } from '../text.ts'
import { openWorkspace } from '../workspaces/store.ts'
import type { ExportSelection, FileTarget } from './job.ts'
import { namesInCatalog } from './product-names.ts'
import { sealContext } from './send-pages.ts'
import { pageSizeIn, type RunValues, searchOfRun } from './settings.ts'
import { exportNow, queueExport, selectionOf } from './start.ts'

const SEARCH = optionalField(
  'search',
  'Search filter. JSON body of a search. Only matching products are exported.',
)

const HTTP_FIELDS = [
  field('url', 'Endpoint URL', { dataType: 'url' }),
  field('secret', 'Signing secret. whsec_ followed by at least 16 bytes in Base64.', {
    fieldType: 'password',
    protected: true,
  }),
  optionalField('pageSize', 'Products per page', {
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

/** The values of a run. Unknown fields are refused, and a run changes no address or secret. */
function valuesOf(manifest: Manifest, { installed, request }: Call<RunRequest>): RunValues {
  checkNames(manifest, 'additionalFields', request.additionalFields)
  for (const name of Object.keys(request.additionalFields)) {
    const known = manifest.fields.find((one) => one.field === name)
    if (!known?.optional)
      throw new Invalid(
        `additionalFields.${name}: set by the installation and cannot be overridden`,
      )
  }
  return { ...installed.fields, ...request.additionalFields }
}

/** An export to a file, which is written at once for named products and by a task for a catalog. */
function fileExport(format: string, writer: FileWriter): ExportExtension {
  const { name, description, fields } = writer
  const manifest = manifestOf(format, name, { description, fields: [...fields, SEARCH] })
  return {
    manifest,
    validate: async ({ installed }) => ({
      problems: await problemsOf(() => {
        writer.settings(installed.fields)
        searchOfRun(installed.fields)
      }),
    }),
    options: (call) => optionsOf(writer, call),
    async run(call) {
      const { id, name: called } = call.installed
      const values = valuesOf(manifest, call)
      const selection = selectionOf(call, values)
      const file: FileTarget = {
        id: newFileId(),
        name: `${await titleOf(call, selection)}.${format}`,
        type: writer.mediaType,
      }
      const to = { format, file, settings: writer.settings(values) }
      const job = { installed: { id, name: called }, selection, to }
      return selection.products ? exportNow(call, job) : queueExport(call, job)
    },
  }
}

const NO_NAMES: ProductNames = { facets: [], filters: [], attributes: [] }

/** Values that a field of a file export may be given. Throws NotFound for a missing catalog. */
async function optionsOf(
  writer: FileWriter,
  { ctx, installed, request }: Call<OptionsRequest>,
): Promise<ExtensionOptionsResponse> {
  const text = fold(request.search ?? '')
  // Before an extension is installed, there may be no catalog to look into.
  const catalog = installed.catalog ?? ctx.organization.defaultCatalog
  const names = async () => (catalog === null ? NO_NAMES : namesInCatalog(ctx, catalog))
  const options = (await writer.options(request.field, names))
    .filter(({ value }) => fold(value).includes(text))
    .map(({ value, isDefault }) => ({ value, display: value, default: isDefault }))
  return { error: null, success: true, options }
}

/** The name of an exported file, without its extension. */
async function titleOf(
  { ctx, request }: Call<RunRequest>,
  { products, catalog }: ExportSelection,
): Promise<string> {
  if (request.workspace !== null) return (await openWorkspace(ctx, request.workspace)).name
  return products ? 'products' : catalog
}

const HTTP = manifestOf('http', 'HTTP', {
  description: 'Post products in pages to a URL, signed with Standard Webhooks.',
  fields: HTTP_FIELDS,
})

const http: ExportExtension = {
  manifest: HTTP,
  validate: async ({ ctx, installed: { fields } }) => ({
    problems: await problemsOf(() => {
      ctx.outbound.check(fields.url!, 'url')
      checkWebhookSecret(fields.secret!, 'secret')
      pageSizeIn(fields)
      searchOfRun(fields)
    }),
  }),
  async run(call) {
    const { ctx, installed } = call
    const values = valuesOf(HTTP, call)
    const { url = '', secret = '' } = values
    ctx.outbound.check(url, 'url')
    checkWebhookSecret(secret, 'secret')
    const pages = {
      url,
      secret: ctx.secrets.seal(secret, sealContext(ctx.organization.id, url)),
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
export const builtIns: readonly ExtensionOf<'export'>[] = [
  ...FORMATS.flatMap(({ type, writer }) => (writer ? [fileExport(type, writer)] : [])),
  http,
]
