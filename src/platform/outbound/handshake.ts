import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { DEFAULT_CIPHERS } from 'node:tls'
import { limits } from '../../limits.ts'
import { createAdmission } from '../admission.ts'
import { chargeCpuTime } from '../charge-cpu-time.ts'
import { processorMs } from '../processor-use.ts'
import { OutboundFailure } from './failure.ts'
import { RecordCursor } from './tls-records.ts'

/**
 * Servers choose the group of DHE, and may choose one that takes a second of processor time. A
 * renegotiation would be a further handshake, which is not guarded.
 */
export const TLS_OPTIONS = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** CPU milliseconds of a normal handshake step, after which its owner need not rest. */
const USUAL_MS = 5
/** Milliseconds that an owner rests per CPU millisecond of a longer step. */
const REST = 10
/** TLS records that some servers send per HTTP chunk: its size, its data and its end. */
const PIECE_RECORDS = 3

/** Steps of handshakes, one at a time for each owner. */
const steps = createAdmission({
  capacity: Infinity,
  share: 1,
  waiting: Infinity,
  what: 'TLS handshakes',
})

/** Milliseconds that an owner rests after a handshake step that took `ms` of CPU time. */
export const handshakeRest = (ms: number): number => (ms < USUAL_MS ? 0 : REST * ms)

/** Whether a response of this many bytes arrived in too many TLS records. */
const areTiny = (records: number, bytes: number): boolean =>
  records > PIECE_RECORDS * (limits.bodyPieces + bytes / limits.bodyPieceBytes)

/**
 * A connection below TLS. Until it is secure, it passes on limited bytes in turn by owner, since
 * OpenSSL verifies every signature of a certificate chain in one step, whoever issued it. Then it
 * passes on records, of which few may be without data, since each may hold many costly messages.
 */
export class GuardedConnection extends Duplex {
  readonly #raw: Socket
  readonly #owner: string
  readonly #over = new AbortController()
  readonly #cursor = new RecordCursor()
  /** Bytes of records without data, the handshake included. */
  #bytes = 0
  #records = 0
  #isWaiting = false
  /** The bytes of data so far; undefined until the connection is secure. */
  #dataBytes: (() => number) | undefined

  constructor(raw: Socket, owner: string) {
    super()
    this.#raw = raw
    this.#owner = owner
    raw.on('data', (bytes: Buffer) => {
      if (this.#dataBytes) chargeCpuTime(() => this.#pass(bytes))
      else this.#step(bytes).catch((error) => this.destroy(error))
    })
    this.on('pause', () => raw.pause())
    this.on('resume', () => this._read())
    raw.on('end', () => this.push(null))
    raw.on('error', (error) => this.destroy(error))
    raw.on('close', () => {
      if (!raw.readableEnded) this.destroy()
    })
  }

  /** The handshake is complete. `dataBytes` tells how much data has been decrypted. */
  secured(dataBytes: () => number): void {
    this.#dataBytes = dataBytes
  }

  #pass(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0 && !this.destroyed; ) {
      const dataBytes = this.#dataBytes
      // What is not decrypted at once cannot be told from records without data.
      if (dataBytes && this.isPaused()) return void this.#raw.pause().unshift(rest)
      const { moved, ended } = this.#cursor.advance(rest)
      const part = rest.subarray(0, moved)
      rest = rest.subarray(moved)
      if (!dataBytes) {
        if (!this.push(part)) this.#raw.pause()
        continue
      }
      if (this.#cursor.isHandshake()) {
        return void this.destroy(new Error('the server requested another TLS handshake'))
      }
      const [data, ms] = [dataBytes(), processorMs()]
      this.push(part)
      if (ended === undefined) continue
      this.#records++
      if (dataBytes() === data) this.#noteMessages(ended, processorMs() - ms)
      else if (areTiny(this.#records, dataBytes())) this.destroy(new OutboundFailure('tinyPieces'))
    }
  }

  /** Counts a record without data, which took `ms`. */
  #noteMessages(bytes: number, ms: number): void {
    const restMs = handshakeRest(ms)
    if (restMs > 0) steps.enter(this.#owner).then((leave) => setTimeout(leave, restMs).unref())
    const excess = this.#excess(bytes)
    if (excess) this.destroy(excess)
  }

  /** Counts bytes of a handshake or messages; the failure if they are too many. */
  #excess(bytes: number): Error | undefined {
    this.#bytes += bytes
    if (this.#bytes <= limits.handshakeBytes) return undefined
    return new Error(`TLS records without data exceed ${limits.handshakeBytes} bytes`)
  }

  async #step(bytes: Buffer): Promise<void> {
    const excess = this.#excess(bytes.length)
    if (excess) throw excess
    this.#raw.pause()
    this.#isWaiting = true
    const leave = await steps.enter(this.#owner, { signal: this.#over.signal })
    this.#isWaiting = false
    this.#raw.resume()
    const before = processorMs()
    // What reads the connection computes before this returns.
    chargeCpuTime(() => this.#pass(bytes))
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
