import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { GuardedConnection, handshakeRest } from '../../../src/platform/outbound/handshake.ts'
import { processorMs } from '../../../src/platform/processor-use.ts'

/** A connection whose other side sends what is pushed. */
const rawSocket = () => new Duplex({ read() {}, write: (_bytes, _encoding, done) => done() })

const guarded = (raw: Duplex, owner: string) => new GuardedConnection(raw as Socket, owner)

function compute(ms: number): void {
  for (const end = processorMs() + ms; processorMs() < end; );
}

/** A record of TLS with so many bytes; its body is not encrypted here. */
const record = (bytes: number) => {
  const all = Buffer.alloc(bytes)
  all.writeUInt8(23)
  all.writeUInt16BE(bytes - 5, 3)
  return all
}

/** A connection that was secure before `bytes` came, of which `dataIn` says what is data. */
async function secureConnection(bytes: Buffer, dataIn: (seen: number) => number) {
  const raw = rawSocket()
  const connection = guarded(raw, 'a')
  const outcome = { seen: 0, error: '' }
  connection.on('data', (part: Buffer) => {
    outcome.seen += part.length
  })
  connection.on('error', ({ message }) => {
    outcome.error = message
  })
  connection.secured(() => dataIn(outcome.seen))
  await setImmediate()
  raw.push(bytes)
  raw.push(null)
  connection.end()
  await new Promise((resolve) => connection.once('close', resolve))
  return outcome
}

const BOUND = `TLS records without data exceed ${limits.handshakeBytes} bytes`

test('a handshake has limited bytes', async () => {
  const { promise: failed, resolve } = Promise.withResolvers<Error>()
  const endless = rawSocket()
  guarded(endless, 'endless').on('error', resolve).resume()
  endless.push(Buffer.alloc(limits.handshakeBytes))
  endless.push(Buffer.alloc(1))
  expect((await failed).message).toBe(BOUND)
  expect(endless.destroyed).toBe(true)
})

test('records of data have no limit, and those without have that of the handshake', async () => {
  const large = Buffer.concat(Array.from({ length: 10 }, () => record(4_096)))
  expect(await secureConnection(large, (seen) => seen)).toEqual({ seen: 40_960, error: '' })
  expect(await secureConnection(large, () => 0)).toEqual({ seen: 20_480, error: BOUND })
})

test('what is not read waits', async () => {
  const raw = rawSocket()
  const connection = guarded(raw, 'a').pause()
  let seen = 0
  connection.on('data', (part: Buffer) => {
    seen += part.length
    connection.pause()
    setImmediate().then(() => connection.resume())
  })
  connection.secured(() => seen)
  raw.push(Buffer.concat(Array.from({ length: 20 }, () => record(4_096))))
  raw.push(null)
  connection.resume()
  await once(connection, 'end')
  expect(seen).toBe(20 * 4_096)
})

test('an owner rests after a costly step, and not after a usual one', () => {
  expect([0, 4.9, 5, 100].map(handshakeRest)).toEqual([0, 0, 50, 1_000])
})

test('after a costly step of a handshake, those of others come before those of its owner', async () => {
  const seen: string[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const connect = (owner: string) => {
    const raw = rawSocket()
    guarded(raw, owner).on('data', (bytes: Buffer) => {
      seen.push(bytes.toString())
      compute(20)
      // Sent only then, since the next step would otherwise have waited for its turn anyway.
      if (seen.length === 1) setImmediate().then(() => other.push('other'))
      if (seen.length === 3) resolve()
    })
    return raw
  }
  const [first, second, other] = [connect('a'), connect('a'), connect('b')]
  first.push('first')
  second.push('second')
  await all
  expect(seen).toEqual(['first', 'other', 'second'])
})
