import type { Context } from '../operation.ts'
import { createAdmission } from '../platform/admission.ts'
import { loadOwner } from '../platform/load-owner.ts'

const turns = createAdmission({ capacity: 1, waiting: Infinity, pauses: true, what: 'downloads' })

/**
 * The bytes of a download. While several organizations are active, its chunks are read one at a
 * time, in turn by organization, each followed by a pause: a fast network would take all of the
 * event loop.
 */
export function sharedDownload(
  { requests, organization }: Pick<Context, 'requests' | 'organization'>,
  body: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const leave = requests.isShared() ? await turns.enter(loadOwner(organization)) : undefined
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } finally {
          leave?.()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
