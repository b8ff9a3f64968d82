import type { Socket } from 'node:net'

type Parser = Record<string, unknown>

/** The callbacks by which Node's parser reports requests and their bodies. */
const CALLBACKS = new Set(['parserOnHeaders', 'parserOnHeadersComplete', 'parserOnBody'])

/**
 * Makes Node's parser pass on nothing more of what has arrived on a connection that is being closed:
 * it handles all that was read at once, up to 64 KiB, which may be thousands of requests or pieces
 * of a body. Parsers are reused, so the callbacks come back.
 */
export function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null }
  if (!parser) return
  const handlers = Object.entries(parser).filter(
    ([, handler]) => typeof handler === 'function' && CALLBACKS.has(handler.name),
  )
  for (const [slot] of handlers) parser[slot] = undefined
  setImmediate(() => Object.assign(parser, Object.fromEntries(handlers)))
}
