import { Invalid } from '../errors.ts'
import { inTime } from '../platform/in-time.ts'

/** The chunks of a request body. A sender that is silent for `idleMs` is given up: 400. */
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
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
