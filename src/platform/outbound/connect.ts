import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import { GuardedConnection, TLS_OPTIONS } from './handshake.ts'

export type Connector = buildConnector.connector

/**
 * Connects to exactly these addresses, trying each until one answers, whatever the name resolves to
 * meanwhile. The certificate must still match the host name. `owner`: for whom handshakes count.
 */
export function connectorTo(
  addresses: readonly string[],
  {
    connectMs,
    ca,
    owner,
    onConnect,
  }: {
    connectMs: number
    ca?: string | undefined
    owner: string
    onConnect(socket: Socket): void
  },
): Connector {
  const connector = buildConnector({
    timeout: connectMs,
    allowH2: false,
    ...TLS_OPTIONS,
    ...(ca ? { ca } : {}),
  })
  /** Connects by TCP, and then by TLS over it if the address is secure. */
  const connect: Connector = ({ servername, ...options }, callback) => {
    if (options.protocol !== 'https:') return connector(options, callback)
    const plain = { ...options, protocol: 'http:', port: options.port || '443' }
    connector(plain, (error, raw) => {
      if (error) return callback(error, null)
      const guarded = new GuardedConnection(raw!, owner)
      const name = servername ? { servername } : {}
      // Node wraps any stream, not only a socket.
      const httpSocket = guarded as unknown as Socket
      connector({ ...options, ...name, httpSocket }, (failed, socket) => {
        if (failed) return callback(failed, null)
        guarded.secured(() => socket!.bytesRead)
        callback(null, socket!)
      })
    })
  }
  return (options, callback) => {
    const attempt = (index: number) => {
      connect({ ...options, hostname: addresses[index]! }, (error, socket) => {
        if (error && index + 1 < addresses.length) return attempt(index + 1)
        if (error) return callback(error, null)
        onConnect(socket!)
        callback(null, socket!)
      })
    }
    attempt(0)
  }
}
