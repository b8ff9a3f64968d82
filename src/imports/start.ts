import { taskCatalogOf, writableCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import { fileIdIn, findFile } from '../files/store.ts'
import { storedFile } from '../formats/bytes/stored-bytes.ts'
import type { Context } from '../operation.ts'
import { type NewTask, queueTask } from '../tasks/store.ts'
import type { Task } from '../tasks/task.ts'
import { type KeptFile, type RemoteFile, remoteFile } from './remote-file.ts'
import { type Bound, fallbackVendorOf, formatFor, readingOf } from './request.ts'
import type { ImportRequest } from './schemas.ts'
import type { ImportInput } from './settings.ts'

/** The built-in import extension, which is always installed. */
export const FILE_EXTENSION = 'file'
export const IMPORT_KIND = 'import'

/** Checks a request and queues the import. Throws Invalid, NotFound, Forbidden. */
export async function startImport(ctx: Context, body: ImportRequest): Promise<Task> {
  return queueTask(ctx, await preparedImport(ctx, body))
}

/** The task for a request; `find` finds an uploaded file. Throws Invalid, NotFound, Forbidden. */
export async function preparedImport(
  ctx: Context,
  body: ImportRequest,
  { vendors = 'all', find = findFile }: Partial<Bound & { find: typeof findFile }> = {},
) {
  checkRequest(ctx, body)
  const file = await fileOf(ctx, body, find)
  const scope = await writableCatalog(ctx, body.targetCatalog)
  const stored = 'id' in file ? storedFile(ctx.files, file) : null
  const format = await formatFor(body, { name: file.name, stored })
  const fallbackVendor = fallbackVendorOf(ctx, scope)
  const reading = readingOf(body, format, { vendors, fallbackVendor })
  const { vendor, fullFile, missing, pictures } = body
  const { createProducts, updateMetadata, normalizeManufacturerName } = body
  if (fullFile && vendor === null) {
    throw new Invalid(
      'vendor: required with fullFile; name the vendor whose offers the file contains in full',
    )
  }
  if (missing !== 'keep' && !fullFile) throw new Invalid('missing: requires fullFile')
  if (missing !== 'keep' && vendors === 'one') {
    throw new Invalid(
      'missing: an extension that is installed for one vendor cannot delete products',
    )
  }
  const flags = { createProducts, updateMetadata, normalizeManufacturerName }
  const effects = { fullFile, missing, pictures, ...flags }
  const input: ImportInput = { ...reading, ...effects, ...taskCatalogOf(scope), file }
  return {
    kind: IMPORT_KIND,
    source: file.name,
    sourceType: 'import',
    target: `${scope.owner}/${scope.name}`,
    input,
    callbackUrl: body.callbackUrl,
  } satisfies NewTask
}

/** Checks the fields of any import request besides its file. Throws Invalid. */
export function checkRequest(ctx: Context, { organization, callbackUrl }: ImportRequest): void {
  if (organization !== null && organization !== ctx.organization.id) {
    throw new Invalid('organization: differs from the organization of the request')
  }
  if (callbackUrl !== null) ctx.outbound.check(callbackUrl, 'callbackUrl')
}

/** An uploaded file, or a remote one that may be called. Throws Invalid. */
export async function fileOf(
  ctx: Context,
  { fileUrl: url, username, password }: Pick<ImportRequest, 'fileUrl' | 'username' | 'password'>,
  find = findFile,
): Promise<KeptFile | RemoteFile> {
  if (url === null) {
    throw new Invalid('fileUrl: required; send the url from POST /api/files or another URL')
  }
  const id = fileIdIn(ctx, url)
  if (id === undefined) return remoteFile(ctx, url, { username, password })
  const { name, bytes } = await find(ctx, id).catch((error: unknown) => {
    if (error instanceof NotFound)
      throw new Invalid('fileUrl: the file does not exist or has expired')
    throw error
  })
  return { id, name, bytes }
}
