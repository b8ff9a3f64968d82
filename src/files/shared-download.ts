import type { Context } from '../operation.ts'
import { createAdmission } from '../platform/admission.ts'
import { gatedStream } from '../platform/gated-stream.ts'
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
  const owner = loadOwner(organization)
  return gatedStream(body, async () => (requests.isShared() ? turns.enter(owner) : undefined))
}
