import { crowd } from '../support/many-connections.ts'
import type { Attack } from './attack.ts'

const CONNECTIONS = 4
const REQUESTS = 1_250
const REQUEST = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n'

export const attack: Attack = {
  name: 'pipelined',
  what: `${REQUESTS} requests for a large page at once on each of ${CONNECTIONS} connections that read no answer`,
  prepare:
    async ({ port }) =>
    (signal) =>
      crowd(
        port,
        { size: CONNECTIONS, begin: (socket) => socket.pause().write(REQUEST.repeat(REQUESTS)) },
        signal,
      ),
}
