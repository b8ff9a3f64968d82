import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits } from '../limits.ts'
import { systemClock } from '../platform/clock.ts'
import { createRateLimiter } from '../platform/rate-limiter.ts'
import { addressKey } from './client-address.ts'

/** Milliseconds between checks for connections whose clients leave too much unread. */
const LOOK_MS = 250

/** The use of a connection, by which one is chosen to make room for another. */
export interface ConnectionUse {
  /** Milliseconds in this state: of this answer, or of waiting for a request. */
  readonly forMs: number
  /**
   * `working`: the request has arrived and its answer has not begun, so the service is what takes
   * long.
   */
  readonly does: 'waits' | 'working' | 'transfers'
  /** Bytes of this request and its answer transferred so far. */
  readonly bytes: number
}

/**
 * The connection that makes room: the one that has waited longest for a request, else the slowest,
 * which trickles a request in or leaves its answer unread. Undefined if all are new or being
 * served.
 */
export function leastUseful<T>(
  connections: Iterable<T>,
  useOf: (one: T) => ConnectionUse,
  graceMs: number = limits.connectionGraceMs,
): T | undefined {
  let idle: T | undefined
  let slow: T | undefined
  let longest = 0
  let slowest = Number.POSITIVE_INFINITY
  for (const one of connections) {
    const { forMs, does, bytes } = useOf(one)
    if (does === 'working' || forMs < graceMs) continue
    if (does === 'waits' && forMs > longest) {
      idle = one
      longest = forMs
    }
    if (does === 'transfers' && bytes / forMs < slowest) {
      slow = one
      slowest = bytes / forMs
    }
  }
  return idle ?? slow
}

interface BoundConnection {
  readonly socket: Socket
  /** Undefined for a proxy, whose connections carry many clients. */
  readonly owner: string | undefined
  since: number
  /** Bytes transferred by then. */
  moved: number
  exchange: { request: IncomingMessage; response: ServerResponse } | undefined
}

/** Bytes received, and bytes of answers that the operating system has taken. */
const movedBy = ({ bytesRead, bytesWritten, writableLength }: Socket): number =>
  bytesRead + bytesWritten - writableLength

function useOf({ socket, since, moved, exchange }: BoundConnection): ConnectionUse {
  const use = { forMs: performance.now() - since, bytes: movedBy(socket) - moved }
  if (!exchange) return { ...use, does: 'waits' }
  const isWorking = exchange.request.complete && !exchange.response.headersSent
  return { ...use, does: isWorking ? 'working' : 'transfers' }
}

export interface ConnectionBounds {
  readonly connections: number
  readonly connectionsByAddress: number
  readonly connectionGraceMs: number
  readonly unreadBytes: number
  readonly malformedByAddress: number
}

export interface ConnectionTracker {
  /** Must be called for each request when its turn comes. */
  began(request: IncomingMessage, response: ServerResponse): void
  /** Whether a request has arrived, or its answer has begun, on a connection, and has not ended. */
  isServing(socket: Duplex): boolean
  /**
   * Must be called for malformed HTTP. After many calls, the address may not connect for a while.
   */
  wasMalformed(socket: Duplex): void
}

/**
 * Bounds the connections of a server, those of one address, and the bytes that all clients leave
 * unread. At a bound the least useful connection is closed. A new one is refused when there is none
 * to close, or while its address sends too much malformed HTTP.
 */
export function limitConnections(
  server: Server,
  bounds: ConnectionBounds,
  isProxy: (address: string) => boolean,
): ConnectionTracker {
  const all = new Map<Duplex, BoundConnection>()
  const owned = new Map<string, Set<BoundConnection>>()
  const malformed = createRateLimiter(systemClock, bounds.malformedByAddress)

  function makeRoom(among: Iterable<BoundConnection>): boolean {
    const connection = leastUseful(among, useOf, bounds.connectionGraceMs)
    if (!connection) return false
    // Unlike an orderly end, a reset also frees what the system keeps of an unread answer.
    connection.socket.resetAndDestroy()
    forget(connection)
    return true
  }

  function forget(connection: BoundConnection) {
    all.delete(connection.socket)
    const siblings = connection.owner === undefined ? undefined : owned.get(connection.owner)
    siblings?.delete(connection)
    if (siblings?.size === 0) owned.delete(connection.owner!)
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const owner = isProxy(address) ? undefined : addressKey(address)
    if (owner !== undefined && malformed.take(owner, { weight: 0 }) > 0)
      return void socket.destroy()
    const siblings = owner === undefined ? undefined : owned.get(owner)
    const isFull = siblings !== undefined && siblings.size >= bounds.connectionsByAddress
    if (isFull && !makeRoom(siblings)) return void socket.destroy()
    if (all.size >= bounds.connections && !makeRoom(all.values())) return void socket.destroy()
    const connection: BoundConnection = {
      socket,
      owner,
      since: performance.now(),
      moved: 0,
      exchange: undefined,
    }
    all.set(socket, connection)
    if (owner !== undefined) owned.set(owner, (owned.get(owner) ?? new Set()).add(connection))
    socket.once('close', () => forget(connection))
  })

  function relieve() {
    for (;;) {
      const unread = [...all.values()].filter(({ socket }) => socket.writableLength > 0)
      const bytes = unread.reduce((sum, { socket }) => sum + socket.writableLength, 0)
      if (bytes <= bounds.unreadBytes || !makeRoom(unread)) return
    }
  }
  const look = setInterval(relieve, LOOK_MS).unref()
  server.once('close', () => clearInterval(look))

  return {
    began(request, response) {
      const connection = all.get(request.socket)
      if (!connection) return
      const exchange = { request, response }
      const mark = () => {
        connection.since = performance.now()
        connection.moved = movedBy(connection.socket)
      }
      connection.exchange = exchange
      mark()
      response.once('close', () => {
        // The next request may have begun already.
        if (connection.exchange !== exchange) return
        connection.exchange = undefined
        mark()
      })
    },
    wasMalformed(socket) {
      const owner = all.get(socket)?.owner
      if (owner !== undefined) malformed.charge(owner, 1)
    },
    isServing(socket) {
      const exchange = all.get(socket)?.exchange
      return exchange !== undefined && (exchange.request.complete || exchange.response.headersSent)
    },
  }
}
