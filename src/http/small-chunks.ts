import type { IncomingMessage } from 'node:http'
import { limits } from '../limits.ts'
import { stopParsing } from './stop-parsing.ts'

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
    stopParsing(request.socket)
    refuse(Object.assign(new Error('small chunks'), { code: SMALL_CHUNKS }))
    return false
  }
}
