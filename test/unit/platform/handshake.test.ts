import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
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

test('a handshake has limited bytes, and what follows it has not', async () => {
  const { promise: failed, resolve } = Promise.withResolvers<Error>()
  const endless = rawSocket()
  guarded(endless, 'endless').on('error', resolve).resume()
  endless.push(Buffer.alloc(limits.handshakeBytes))
  endless.push(Buffer.alloc(1))
  expect((await failed).message).toBe('the TLS handshake has more than 16384 bytes')
  expect(endless.destroyed).toBe(true)

  const honest = rawSocket()
  const connection = guarded(honest, 'honest')
  connection.secured()
  honest.push(Buffer.alloc(limits.handshakeBytes + 1))
  honest.push(null)
  const bytes = (await connection.toArray()).reduce((sum, one) => sum + one.length, 0)
  expect(bytes).toBe(limits.handshakeBytes + 1)
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
      if (seen.length === 1) setImmediate(() => other.push('other'))
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
