import { crowd } from '../support/many-connections.ts'
import type { Attack } from './attack.ts'

const CONNECTIONS = 10_000

export const attack: Attack = {
  name: 'idle',
  what: `${CONNECTIONS} connections that ask once and stay, half of them without asking`,
  prepare:
    async ({ port }) =>
    (signal) => {
      let asks = false
      return crowd(
        port,
        {
          size: CONNECTIONS,
          begin(socket) {
            asks = !asks
            socket.resume()
            if (asks) socket.write('GET /api/status HTTP/1.1\r\nhost: a\r\n\r\n')
          },
        },
        signal,
      )
    },
}
