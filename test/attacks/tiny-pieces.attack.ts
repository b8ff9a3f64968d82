import type { Socket } from 'node:net'
import { crowd } from '../support/many-connections.ts'
import type { Attack } from './attack.ts'

const CONNECTIONS = 20
const PIECES = '1\r\n \r\n'.repeat(2_000)

function flood(socket: Socket): void {
  while (!socket.destroyed && socket.write(PIECES));
  if (!socket.destroyed) socket.once('drain', () => flood(socket))
}

export const attack: Attack = {
  name: 'tiny pieces',
  what: `${CONNECTIONS} connections that send endless bodies in chunks of one byte, with a key`,
  async prepare(target) {
    const { headers } = await target.tenant()
    const lines = Object.entries({ host: 'a', ...headers, 'transfer-encoding': 'chunked' })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return (signal) =>
      crowd(
        target.port,
        {
          size: CONNECTIONS,
          // This address may be blocked from connecting for a while.
          localAddress: '127.0.0.2',
          begin(socket) {
            socket.resume().write(`POST /api/search HTTP/1.1\r\n${head}\r\n`)
            flood(socket)
          },
        },
        signal,
      )
  },
}
