import { Invalid } from '../errors.ts'
import type { Call, RunRequest } from '../extensions/contract.ts'
import type { ExtensionRunResponse } from '../extensions/schemas.ts'
import { fileUrl, keepFile } from '../files/store.ts'
import type { ProductText } from '../formats/file-writer.ts'
import { limits } from '../limits.ts'
import { queueTask } from '../tasks/store.ts'
import { createFileParts } from './file-part.ts'
import {
  EXPORT_KIND,
  type ExportJob,
  type ExportSelection,
  type FileDestination,
  initialExportCheckpoint,
  writerOf,
} from './job.ts'
import { headingsFor, productsText } from './run.ts'
import { nextPortion } from './selected-portions.ts'
import { type RunValues, searchOfRun } from './settings.ts'

type ExportCall = Call<RunRequest>
type FileJob = ExportJob & { readonly to: FileDestination }

/** The products that a run of a built-in extension exports. Throws Invalid. */
export function selectionOf(
  { installed, request }: ExportCall,
  values: RunValues,
): ExportSelection {
  const { products, workspace, additionalFields } = request
  const isCatalog = products.length === 0 && workspace === null
  if (!isCatalog && additionalFields.search !== undefined) {
    throw new Invalid('additionalFields.search: cannot be combined with products')
  }
  return {
    products: isCatalog ? null : products.map(({ catalog, id }) => ({ catalog, id })),
    catalog: installed.catalog ?? '',
    search: isCatalog ? searchOfRun(values) : null,
  }
}

const emptyResponse: ExtensionRunResponse = {
  error: null,
  success: true,
  redirectUrl: null,
  messageHeader: null,
  message: null,
  products: [],
  taskId: null,
}

/** Queues an export. The URL of a file is returned at once, and works when the task is done. */
export async function queueExport(
  { ctx }: Pick<ExportCall, 'ctx'>,
  job: ExportJob,
): Promise<ExtensionRunResponse> {
  const { selection, installed, to } = job
  const { id } = await queueTask(ctx, {
    kind: EXPORT_KIND,
    source: `${installed.name}: ${selection.products ? 'products' : selection.catalog}`,
    sourceType: 'export',
    target: null,
    input: job,
  })
  const redirectUrl = 'file' in to ? fileUrl(ctx, to.file.id) : null
  return {
    ...emptyResponse,
    redirectUrl,
    messageHeader: 'Export started',
    message: redirectUrl
      ? 'The file is available at redirectUrl when the task is completed.'
      : 'The products are being sent. The task shows the progress.',
    taskId: id,
  }
}

/** Writes the file of a small selection while its caller waits. */
export async function exportNow({ ctx }: ExportCall, job: FileJob): Promise<ExtensionRunResponse> {
  const { selection, to } = job
  const headings = await headingsFor({ ctx }, job)
  const { writer, settings } = writerOf(to)
  const text = writer.open(settings, headings)
  const exported: ExtensionRunResponse['products'] = []
  const beginPart = createFileParts({
    read: (position, size) => nextPortion(ctx, selection, { ...position, size }),
    write(product) {
      exported.push({ id: product.id, catalog: product.catalog, externalId: null })
      return text.write(product)
    },
    limits: { bytes: limits.fileBytes, products: Number.POSITIVE_INFINITY, ms: limits.requestMs },
    isEnding: () => false,
    advanced: () => ctx.signal.throwIfAborted(),
    checkNeeded: () => ctx.signal.throwIfAborted(),
  })
  const total = selection.products!.length
  const part = beginPart(initialExportCheckpoint({ total, mode: 'strict', headings }))
  await keepFile(ctx, { ...to.file, body: withHead(text, part.body) })
  return {
    ...emptyResponse,
    redirectUrl: fileUrl(ctx, to.file.id),
    messageHeader: 'Export finished',
    message: `${productsText(exported.length)} exported.`,
    products: exported,
  }
}

async function* withHead({ head }: ProductText, body: AsyncIterable<Uint8Array>) {
  if (head !== '') yield Buffer.from(head)
  yield* body
}
