import type { IncomingHttpHeaders } from 'node:http'
import { DecoratorHandler, type Dispatcher } from 'undici'
import { limits } from '../../limits.ts'
import { OutboundFailure } from './failure.ts'

/** Informational responses (1xx) that may precede an answer. */
const INFORMATIONAL = 16
/** Bytes of headers, framing and what is not read yet, besides those of the body. */
const UNCOUNTED_BYTES = 256 * 1024

/** What was received of an answer's body. */
interface ReceivedBody {
  bytes: number
}

const smallChunks = () => new OutboundFailure('tinyPieces')

/**
 * Ends an answer that arrives in many small chunks, each of which costs as much as a large one, or
 * after many informational ones.
 */
export const refuseSmallChunks =
  (received: ReceivedBody): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, new PieceCounter(handler, received))

/**
 * Whether a connection carries far more than its answer's body, such as extensions of chunks or
 * trailers without end. `bytes`: all that it carried.
 */
export const isMostlyFraming = (bytes: number, { bytes: body }: ReceivedBody): boolean =>
  bytes > UNCOUNTED_BYTES + 2 * body

class PieceCounter extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler
  readonly #received: ReceivedBody
  #informational = 0
  #pieces = 0

  constructor(next: Dispatcher.DispatchHandler, received: ReceivedBody) {
    super(next)
    this.#next = next
    this.#received = received
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    ...rest: [headers: IncomingHttpHeaders, message?: string]
  ): void {
    if (status < 200 && ++this.#informational > INFORMATIONAL) controller.abort(smallChunks())
    else this.#next.onResponseStart?.(controller, status, ...rest)
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces++
    this.#received.bytes += piece.length
    if (this.#pieces > limits.bodyPieces + this.#received.bytes / limits.bodyPieceBytes) {
      controller.abort(smallChunks())
    } else this.#next.onResponseData?.(controller, piece)
  }
}
