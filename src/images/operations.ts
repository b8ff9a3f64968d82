import { z } from 'zod'
import { type Bytes, operation, route } from '../operation.ts'
import { Id } from '../shapes.ts'
import { openImage } from './store.ts'

const ImageKey = z.object({ id: Id })

export const readImage = operation({
  name: 'Read Image',
  summary: 'Answers a picture by its id; needs no key, since a page’s <img> sends none.',
  access: 'public',
  bindings: {
    any: route<Bytes, typeof ImageKey>('GET', '/api/images/:id', {
      param: ImageKey,
      answer: 'bytes',
    }),
  },
  handle: ({ id }: z.infer<typeof ImageKey>, ctx) => openImage(ctx, id),
})

export const imageOperations = [readImage]
