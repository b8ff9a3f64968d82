import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

type Exchange = [request: IncomingMessage, response: ServerResponse]

/**
 * Passes on one request of a connection at a time. Requests sent before their turn wait, and
 * meanwhile no more is read. One with too many of them is passed to `refuse`, which closes it.
 */
export function withoutPipelining(
  listener: RequestListener,
  refuse: (socket: Socket) => void,
): RequestListener {
  const waiting = new WeakMap<Socket, Exchange[]>()

  const begin = (socket: Socket, [request, response]: Exchange) => {
    response.once('close', () => {
      const next = waiting.get(socket)?.shift()
      if (!next) waiting.delete(socket)
      else if (!socket.destroyed) begin(socket, next)
      if (!waiting.get(socket)?.length) socket.resume()
    })
    listener(request, response)
  }

  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const queue = waiting.get(socket)
    if (!queue) {
      waiting.set(socket, [])
      begin(socket, [request, response])
    } else if (queue.push([request, response]) > limits.connectionRequests) {
      refuse(socket)
    } else socket.pause()
  }
}
