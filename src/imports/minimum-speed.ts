import { limits } from '../limits.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'

/**
 * Passes on chunks while they arrive at a minimum speed, after a grace period. A very slow sender
 * would occupy a slot for imports. Throws OutboundFailure.
 */
export async function* withMinimumSpeed(
  body: AsyncIterable<Uint8Array>,
  { now }: { now: () => number },
): AsyncGenerator<Uint8Array> {
  const began = now()
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    const due = limits.downloadGraceMs + (bytes / limits.downloadBytesPerSecond) * 1_000
    if (now() - began > due) throw new OutboundFailure('late')
    yield chunk
  }
}
