import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

/** The code of the error that ends such a request. */
export const SMALL_CHUNKS = 'ERR_SMALL_CHUNKS'

/**
 * Calls `refuse` when a body arrives in many small chunks, each of which takes as much time and
 * memory as a large one. Pieces are counted before they are gathered, whether or not anybody reads
 * the body.
 */
export function limitSmallChunks(request: IncomingMessage, refuse: (error: Error) => void): void {
  const push = request.push.bind(request)
  // Node would discard a body that nobody reads without passing it on, and so uncounted. Let it
  // flow.
  Object.assign(request, { _dump: () => request.removeAllListeners('data').resume() })
  let pieces = 0
  let size = 0
  let isRefused = false
  request.push = (piece: Buffer | null, encoding) => {
    if (isRefused) return false
    if (piece === null) return push(piece, encoding)
    pieces++
    size += piece.length
    if (pieces <= limits.bodyPieces + size / limits.bodyPieceBytes) return push(piece, encoding)
    isRefused = true
    dropPieces(request.socket)
    refuse(Object.assign(new Error('small chunks'), { code: SMALL_CHUNKS }))
    return false
  }
}

type Parser = Record<string, ((piece: Buffer) => void) | undefined>

/**
 * Node's parser handles all that was read at once, up to 64 KiB, even after its connection has
 * ended. Without a callback, it saves thousands of calls. Parsers are reused, so the callback comes
 * back.
 */
function dropPieces(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null }
  const slot = parser && Object.keys(parser).find((key) => parser[key]?.name === 'parserOnBody')
  if (!slot) return
  const handler = parser[slot]
  parser[slot] = undefined
  setImmediate(() => {
    parser[slot] = handler
  })
}
