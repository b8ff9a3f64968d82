import { z } from 'zod'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { bothRevisions, operation, route } from '../operation.ts'
import { chargeCpuTime } from '../platform/charge-cpu-time.ts'
import { ActionResponse, CatalogQuery, done, Id } from '../shapes.ts'
import { decodeUpload } from './decode-upload.ts'
import { removeCustomImages } from './remove.ts'
import { saveImage } from './save.ts'
import {
  DeleteCustomImagesRequest,
  FileUploadRequest,
  ProductImagesPath,
  ReadImageQuery,
  SaveImageQuery,
  UploadAnswer,
} from './schemas.ts'
import { openImage } from './store.ts'

const ImageKey = z.object({ id: Id.describe("Last part of the image's `url`.") })

export const imageOperations = [
  operation({
    name: 'Read Image',
    summary:
      'Returns an image by its id, optionally in a smaller size. No key is required, since the `<img>` elements of a page send none.',
    access: 'public',
    bindings: {
      any: route('GET', '/api/images/:id', {
        param: ImageKey,
        query: ReadImageQuery,
        answer: 'bytes',
      }),
    },
    handle: ({ id, width }, ctx) => openImage(ctx, id, width),
  }),
  operation({
    name: 'Save Product Image',
    summary:
      'Stores a PNG, JPEG, GIF or WebP image and, if a product is named, adds it to that product.',
    access: 'editor',
    ms: limits.imageUploadMs,
    bindings: bothRevisions('POST', '/api/images', {
      query: SaveImageQuery,
      body: FileUploadRequest,
      bodyBytes: limits.imageBodyBytes,
      answer: UploadAnswer,
    }),
    handle: async ({ catalog, productId, ifMatch, body }, ctx) => {
      if (body.file === '') throw new Invalid('file: required, base64 or a base64 data URL')
      const bytes = chargeCpuTime(() => decodeUpload(body.file))
      const { fileName: name } = body
      const { url } = await saveImage(ctx, { bytes, name, catalog, productId, ifMatch })
      return { url }
    },
  }),
  operation({
    name: 'Delete Custom Product Images',
    summary:
      'Removes custom images from a product. Files that no product shows any more are deleted.',
    access: 'editor',
    bindings: bothRevisions('POST', '/api/images/:productId/delete', {
      param: ProductImagesPath,
      query: CatalogQuery,
      body: DeleteCustomImagesRequest,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, productId, ifMatch, body }, ctx) => {
      const product = { catalog, id: productId, ifMatch }
      const removed = await removeCustomImages(ctx, product, body.customImageIds)
      return done(removed === 0 ? 'Nothing to remove.' : `Images removed: ${removed}.`, {
        id: productId,
      })
    },
  }),
]
