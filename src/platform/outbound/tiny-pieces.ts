import { DecoratorHandler, type Dispatcher } from 'undici'
import { limits } from '../../limits.ts'
import { OutboundFailure } from './failure.ts'

/** Ends an answer that arrives in many tiny chunks, each of which costs as much as a large one. */
export const withoutTinyPieces: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) =>
    dispatch(options, new PieceCounter(handler))

class PieceCounter extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #next: Dispatcher.DispatchHandler
  #pieces = 0
  #bytes = 0

  constructor(next: Dispatcher.DispatchHandler) {
    super(next)
    this.#next = next
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces++
    this.#bytes += piece.length
    if (this.#pieces > limits.bodyPieces + this.#bytes / limits.bodyPieceBytes) {
      controller.abort(new OutboundFailure('tinyPieces'))
    } else this.#next.onResponseData?.(controller, piece)
  }
}
