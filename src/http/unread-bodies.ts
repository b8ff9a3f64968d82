import type { IncomingMessage } from 'node:http'

/** Milliseconds in which a client that still sends can read its refusal; then the connection ends. */
const LINGER_MS = 500

/** Whether an answer is one after which nobody wants the rest of its request. */
export const endsConnection = (answer: Response): boolean =>
  answer.status >= 400 && answer.headers.get('connection') === 'close'

/**
 * Reads no more of a request whose answer ends its connection: to read a large body to its end costs
 * more than to refuse it.
 */
export function leaveUnread({ socket }: IncomingMessage): void {
  socket.pause()
  Object.assign(socket, {
    // Node and Hono read on once the answer is sent.
    resume: () => socket,
    // An end at once would reset the connection, and the answer might never be read.
    destroySoon: () => {
      socket.end()
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    },
  })
}
