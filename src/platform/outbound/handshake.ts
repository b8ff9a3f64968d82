import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { DEFAULT_CIPHERS } from 'node:tls'
import { limits } from '../../limits.ts'
import { createAdmission } from '../admission.ts'
import { charged } from '../charged.ts'
import { processorMs } from '../processor-use.ts'

/**
 * Servers choose the group of DHE, and may choose one that takes a second of processor time. A
 * renegotiation would be a further handshake, which is not guarded.
 */
export const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** Milliseconds of processor time of a usual step. Its owner does not rest. */
const USUAL_MS = 5
/** Milliseconds that an owner rests for each millisecond of a longer step. */
const REST = 10

/** Steps of handshakes, one at a time for each owner. */
const steps = createAdmission({
  capacity: Infinity,
  share: 1,
  waiting: Infinity,
  what: 'TLS handshakes',
})

/** How long an owner rests after a step of a handshake that used `ms` of processor time. */
export const handshakeRest = (ms: number): number => (ms < USUAL_MS ? 0 : REST * ms)

/**
 * A connection below TLS. Until it is secure, it passes on limited bytes in turn by owner, since
 * OpenSSL verifies every signature of a certificate chain in one step, whoever issued it.
 */
export class GuardedConnection extends Duplex {
  readonly #raw: Socket
  readonly #owner: string
  readonly #over = new AbortController()
  #bytes = 0
  #isWaiting = false
  #isSecure = false

  constructor(raw: Socket, owner: string) {
    super()
    this.#raw = raw
    this.#owner = owner
    raw.on('data', (bytes: Buffer) => {
      if (this.#isSecure) this.#pass(bytes)
      else this.#step(bytes).catch((error) => this.destroy(error))
    })
    raw.on('end', () => this.push(null))
    raw.on('error', (error) => this.destroy(error))
    raw.on('close', () => {
      if (!raw.readableEnded) this.destroy()
    })
  }

  /** Ends the guard: the handshake is complete. */
  secured(): void {
    this.#isSecure = true
  }

  #pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.#raw.pause()
  }

  async #step(bytes: Buffer): Promise<void> {
    this.#bytes += bytes.length
    if (this.#bytes > limits.handshakeBytes) {
      throw new Error(`the TLS handshake has more than ${limits.handshakeBytes} bytes`)
    }
    this.#raw.pause()
    this.#isWaiting = true
    const leave = await steps.enter(this.#owner, { signal: this.#over.signal })
    this.#isWaiting = false
    this.#raw.resume()
    const before = processorMs()
    // What reads the connection computes before this returns.
    charged(() => this.#pass(bytes))
    const restMs = handshakeRest(processorMs() - before)
    if (restMs > 0) setTimeout(leave, restMs).unref()
    else leave()
  }

  override _read(): void {
    if (!this.#isWaiting) this.#raw.resume()
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#raw.write(bytes, done)
  }

  override _final(done: () => void): void {
    if (this.#raw.destroyed) done()
    else this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#over.abort()
    this.#raw.destroy()
    done(error)
  }
}
