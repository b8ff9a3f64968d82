import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

/** The code of what ends such a request. */
export const TINY_PIECES = 'ERR_TINY_PIECES'

/**
 * Calls `refuse` when a body comes in many tiny pieces, each of which takes as long and as much
 * memory as a large one: before they are gathered, whoever was to read them, or nobody.
 */
export function limitTinyPieces(request: IncomingMessage, refuse: (error: Error) => void): void {
  const push = request.push.bind(request)
  // Node hands on no more of a body that nobody reads: it would come uncounted. Here it flows away.
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
    refuse(Object.assign(new Error('tiny pieces'), { code: TINY_PIECES }))
    return false
  }
}

type Parser = Record<string, ((piece: Buffer) => void) | undefined>

/**
 * Node's parser goes through all that was read at once, up to 64 KiB, even when its connection has
 * ended: thousands of calls, unless there is nothing to call. Parsers are used again.
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
