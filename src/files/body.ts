import { Invalid } from '../errors.ts'
import { inTime } from '../platform/in-time.ts'

/**
 * The chunks of a request body, each good until the next one is asked for. A sender that is silent
 * for `idleMs` is given up: 400.
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const silent = () => new Invalid(`body: nothing came for ${idleMs} ms`)
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), idleMs, silent)
      if (done) return
      yield value
      release(value)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Gives the memory of a chunk back now: collected late, an upload's chunks are tens of MiB. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}
