import { crowd } from '../support/many-connections.ts'
import type { Attack } from './attack.ts'

const CONNECTIONS = 4_200
const REQUEST = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: a\r\n\r\n'

export const attack: Attack = {
  name: 'unread',
  what: `${CONNECTIONS} connections that ask for a large page and read nothing of it`,
  prepare:
    async ({ port }) =>
    (signal) =>
      crowd(port, { size: CONNECTIONS, begin: (socket) => socket.pause().write(REQUEST) }, signal),
}
