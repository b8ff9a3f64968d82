import { connect, type Socket } from 'node:net'

/** Maximum number of connections that are opened per second. */
const OPENED_A_SECOND = 2_000
const TICK_MS = 20
/** Milliseconds after which a connection that does not read is replaced. */
const UNREAD_MS = 5_000

export interface Crowd {
  /** Number of connections that are open at once. */
  readonly size: number
  /** Called with each connection once it is open. */
  readonly begin: (socket: Socket) => void
  /** Address that the connections come from; 127.0.0.1 if absent. */
  readonly localAddress?: string
}

/** Keeps a number of connections open until `signal` aborts, replacing those that end. */
export async function crowd(
  port: number,
  { size, begin, localAddress = '127.0.0.1' }: Crowd,
  signal: AbortSignal,
): Promise<string> {
  const open = new Set<Socket>()
  let opened = 0
  let ended = 0
  let most = 0
  // A connection that does not read does not notice its end either.
  const unread = (socket: Socket) => setTimeout(() => socket.destroy(), UNREAD_MS).unref()
  const one = () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
      opened++
      most = Math.max(most, open.size)
      begin(socket)
      if (socket.isPaused()) unread(socket)
    })
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      ended++
    })
  }
  while (!signal.aborted) {
    const room = Math.min(size - open.size, (OPENED_A_SECOND * TICK_MS) / 1_000)
    for (let i = 0; i < room; i++) one()
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
  }
  const held = open.size
  for (const socket of open) socket.destroy()
  return `${opened} connections opened, ${ended} ended, ${most} at once, ${held} at the end`
}
