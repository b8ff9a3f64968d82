import type { Context as HonoContext } from 'hono'
import { gatedStream } from '../platform/gated-stream.ts'
import { createSharing } from '../platform/sharing.ts'

/** Resolves when a request of this owner may begin; undefined when it may at once. */
export type TakeTurn = (owner: string) => Promise<void> | undefined

/** The owner of the turn of a request whose caller is unknown: its sender. */
export const senderOf = (c: HonoContext): string => `from ${c.env?.client}`

/** The owner of the turns of bytes that anybody may request. */
const EVERYBODY = 'everybody'

/** A page or picture of which each chunk takes a turn: however many read them, one is sent in each. */
export const inTurns = (
  body: ReadableStream<Uint8Array>,
  takeTurn: TakeTurn,
): ReadableStream<Uint8Array> =>
  gatedStream(body, async () => {
    await takeTurn(EVERYBODY)
    return undefined
  })

/**
 * While several owners are active, lets one request of each begin in a turn of the event loop, the
 * others in the next turns. Work that waits for Elasticsearch takes several turns, so many small
 * requests of one owner, each too small to rest after, would otherwise delay each step of the work
 * of others.
 */
export function createTurns(clock = () => performance.now()): TakeTurn {
  const lines = new Map<string, (() => void)[]>()
  const sharing = createSharing(clock)

  function nextTurn(): void {
    for (const [owner, line] of lines) {
      const begin = line.shift()
      if (begin) begin()
      else lines.delete(owner)
    }
    if (lines.size > 0) setImmediate(nextTurn)
  }

  return (owner) => {
    sharing.note(owner)
    const line = lines.get(owner)
    if (line) return new Promise((resolve) => line.push(resolve))
    if (!sharing.isShared()) return undefined
    if (lines.size === 0) setImmediate(nextTurn)
    lines.set(owner, [])
    return undefined
  }
}
