import { z } from 'zod'
import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { type BinaryAnswer, bothRevisions, type Context, operation } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { pacedTransfer } from '../platform/pacing.ts'
import { Id, OptionalText } from '../shapes.ts'
import { sharedDownload } from './shared-download.ts'
import { fileUrl, findFile, keepFile } from './store.ts'
import { uploadChunks } from './upload-chunks.ts'

const UploadQuery = z.object({
  name: OptionalText(limits.nameLength).describe(
    'Name of the file. Its extension tells imports the file type.',
  ),
})
const FileUrl = z
  .object({
    url: z
      .string()
      .describe(
        'URL of the file, for use as the `fileUrl` of an import. Only the organization can read it.',
      ),
  })
  .describe(`The uploaded file, which is kept for ${limits.fileDays} days.`)
const FileKey = z.object({ id: Id.describe('Last part of the `url` returned by the upload.') })

async function download(ctx: Context, id: string): Promise<BinaryAnswer> {
  const { name, type, bytes } = await findFile(ctx, id)
  const found = await ctx.files.read(id)
  if (!found) throw new NotFound('File')
  return {
    type,
    length: bytes,
    body: sharedDownload(ctx, found.body),
    headers: {
      'content-disposition': attachment(name),
      'content-security-policy': "default-src 'none'; sandbox",
    },
  }
}

/**
 * A Content-Disposition header for a file name chosen by a caller: ASCII for old clients, RFC 5987
 * for the others.
 */
export function attachment(name: string): string {
  const ascii = name.replace(/[^A-Za-z0-9._ -]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

export const fileOperations = [
  operation({
    name: 'Upload File',
    summary:
      'Stores the bytes of the request body as a file for use by imports and returns its URL. The file is deleted after some days.',
    access: 'editor',
    keys: ['import'],
    bindings: bothRevisions('POST', '/api/files', {
      query: UploadQuery,
      body: 'stream',
      answer: FileUrl,
    }),
    handle: ({ name, body }, ctx) =>
      ctx.uploads.run(loadOwner(ctx.organization), async () => {
        if (!body) throw new Invalid('body: required, the bytes of the file')
        const { id } = await keepFile(ctx, {
          name: name ?? 'file',
          type: 'application/octet-stream',
          body: pacedTransfer(ctx, uploadChunks(body, limits.uploadIdleMs)),
        })
        return { url: fileUrl(ctx, id) }
      }),
  }),
  operation({
    name: 'Read File',
    summary: 'Returns the bytes of a file of the organization, as a download.',
    access: 'viewer',
    keys: ['import'],
    bindings: bothRevisions('GET', '/api/files/:id', {
      param: FileKey,
      answer: 'bytes',
    }),
    handle: ({ id }, ctx) => download(ctx, id),
  }),
]
