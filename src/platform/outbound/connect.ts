import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

export type Connector = buildConnector.connector

/**
 * Connects to exactly these addresses, trying each until one answers, whatever the name resolves to
 * meanwhile. The certificate must still match the host name.
 */
export function connectorTo(
  addresses: readonly string[],
  {
    connectMs,
    ca,
    onConnect,
  }: { connectMs: number; ca?: string | undefined; onConnect(socket: Socket): void },
): Connector {
  const connector = buildConnector({ timeout: connectMs, allowH2: false, ...(ca ? { ca } : {}) })
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    const attempt = (index: number) => {
      const { servername, ...rest } = options
      const name = secure && servername ? { servername } : {}
      connector({ ...rest, ...name, hostname: addresses[index]! }, (error, socket) => {
        if (error && index + 1 < addresses.length) return attempt(index + 1)
        if (error) return callback(error, null)
        onConnect(socket!)
        callback(null, socket!)
      })
    }
    attempt(0)
  }
}
