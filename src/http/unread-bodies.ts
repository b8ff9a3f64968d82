import type { IncomingMessage } from 'node:http'

/** Milliseconds for a client that still sends to read its refusal, before the connection ends. */
const LINGER_MS = 500

/** Whether the rest of the request is not wanted after this answer. */
export const endsConnection = (answer: Response): boolean =>
  answer.status >= 400 && answer.headers.get('connection') === 'close'

/**
 * Reads no more of a request whose answer ends its connection, since reading a large body to its
 * end costs more than refusing it.
 */
export function leaveUnread({ socket }: IncomingMessage): void {
  socket.pause()
  Object.assign(socket, {
    // Node and Hono resume reading once the answer is sent.
    resume: () => socket,
    // Destroying it at once would reset the connection, and the answer might never be read.
    destroySoon: () => {
      socket.end()
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    },
  })
}
