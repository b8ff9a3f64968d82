import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { DecoratorHandler, type Dispatcher } from 'undici'
import { limits } from '../../limits.ts'
import { OutboundFailure } from './failure.ts'

/** Bytes of the headers of an answer. */
const HEADER_BYTES = 16 * 1024
/** Bytes that one read of a socket returns. */
const READ_BYTES = 64 * 1024
/** Bytes of headers or trailers, as they are sent, that may wait for further ones. */
const MOST_WAITING = 2 * HEADER_BYTES
/** Bytes before an answer begins. Its body may follow in the same read. */
const MOST_BEFORE = MOST_WAITING + READ_BYTES
/** Informational responses (1xx) that may precede an answer. */
const INFORMATIONAL = 16
/** Bytes of headers, framing and what is not read yet, besides those of the body. */
const UNCOUNTED_BYTES = 256 * 1024
/** Framing of a piece of a body. */
const PIECE_BYTES = 24
/** The part of a body that may be added to it, and the part over TLS. */
const ADDED = 1 / 64
const ADDED_BY_TLS = 1 / 8

/**
 * The `maxHeaderSize` of undici. The bounds below apply earlier: beyond this one, undici creates an
 * error for each header that it has received, which takes 150 ms.
 */
export const PARSED_HEADER_BYTES = 2 * UNCOUNTED_BYTES

/** What was received of an answer. */
interface ReceivedAnswer {
  hasBegun: boolean
  bodyBytes: number
  pieces: number
}

const smallChunks = () => new OutboundFailure('tinyPieces')

/** Bounds an answer: its headers, and the informational ones and chunks that it consists of. */
export function createResponseBounds({ protocol }: Pick<URL, 'protocol'>) {
  const received: ReceivedAnswer = { hasBegun: false, bodyBytes: 0, pieces: 0 }
  const added = protocol === 'https:' ? ADDED_BY_TLS : ADDED

  /**
   * Why a connection that carried so many bytes has to be closed: it does not begin an answer, or
   * carries far more than a body, such as extensions of chunks or trailers without end.
   */
  function refusal(bytes: number): OutboundFailure | undefined {
    const { hasBegun, bodyBytes } = received
    if (!hasBegun) return bytes > MOST_BEFORE ? new OutboundFailure('largeHeaders') : undefined
    return bytes > UNCOUNTED_BYTES + 2 * bodyBytes ? smallChunks() : undefined
  }

  /**
   * Why it has to be closed once so many bytes are parsed: headers that are not complete and
   * trailers stay in memory, each as objects, while the other side sends nothing more.
   */
  function refusalOnceParsed(bytes: number): OutboundFailure | undefined {
    const { hasBegun, bodyBytes, pieces } = received
    if (bytes <= bodyBytes * (1 + added) + PIECE_BYTES * pieces + MOST_WAITING) return undefined
    return hasBegun ? smallChunks() : new OutboundFailure('largeHeaders')
  }

  return {
    /**
     * Ends an answer with large headers, one that arrives in many small chunks, each of which costs
     * as much as a large one, and one after many informational ones.
     */
    intercept: ((dispatch) => (options, handler) =>
      dispatch(
        options,
        new BoundedResponse(handler, received),
      )) satisfies Dispatcher.DispatcherComposeInterceptor,
    /** Closes the connection where its bytes exceed the bounds. Call it before undici reads. */
    watch(socket: Socket): void {
      const before = socket.bytesRead
      const carried = () => socket.bytesRead - before
      const parsed = () => carried() - socket.readableLength
      const checkParsed = () => {
        const failure = refusalOnceParsed(parsed())
        if (failure) socket.destroy(failure)
      }
      socket.on('readable', () => {
        const failure = refusalOnceParsed(parsed()) ?? refusal(carried())
        if (!failure) return void setImmediate(checkParsed)
        // What was received would be parsed otherwise.
        socket.read()
        socket.destroy(failure)
      })
    },
  }
}

class BoundedResponse extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler
  readonly #received: ReceivedAnswer
  #informational = 0

  constructor(next: Dispatcher.DispatchHandler, received: ReceivedAnswer) {
    super(next)
    this.#next = next
    this.#received = received
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    if (sizeOf(headers) > HEADER_BYTES) controller.abort(new OutboundFailure('largeHeaders'))
    else if (status < 200 && ++this.#informational > INFORMATIONAL) controller.abort(smallChunks())
    else {
      this.#received.hasBegun ||= status >= 200
      this.#next.onResponseStart?.(controller, status, headers, message)
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    const received = this.#received
    received.pieces++
    received.bodyBytes += piece.length
    if (received.pieces > limits.bodyPieces + received.bodyBytes / limits.bodyPieceBytes) {
      controller.abort(smallChunks())
    } else this.#next.onResponseData?.(controller, piece)
  }
}

function sizeOf(headers: IncomingHttpHeaders): number {
  let size = 0
  for (const [name, value = ''] of Object.entries(headers)) {
    for (const one of [value].flat()) size += name.length + one.length
  }
  return size
}
