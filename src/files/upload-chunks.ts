import { Invalid } from '../errors.ts'
import { withDeadline } from '../platform/deadline.ts'

/**
 * The chunks of a request body; each is valid until the next one is requested. A sender that is
 * silent for `idleMs` gets 400.
 */
export async function* uploadChunks(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const silent = () => new Invalid(`body: no data received for ${idleMs} ms`)
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), idleMs, silent)
      if (done) return
      yield value
      release(value)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Frees the memory of a chunk at once: otherwise an upload holds tens of MiB until the next
 * collection.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
