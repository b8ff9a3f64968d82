import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurnIfLarge, whileHeld } from '../../../src/extensions/large-values.ts'
import { signedRequest } from '../../../src/extensions/signed-request.ts'
import { limits } from '../../../src/limits.ts'
import { newWebhookSecret } from '../../../src/platform/webhook-signature.ts'

test('large bodies of many calls are made one after the other', async () => {
  const secret = newWebhookSecret()
  let made = 0
  const remote = { name: 'Tidewell', url: 'https://a.example', fields: [], secret: () => secret }
  const ctx = {
    organization: { id: crypto.randomUUID(), parent: null },
    signal: new AbortController().signal,
    clock: { now: () => new Date(made++) },
  }
  const additionalFields = { text: 'é'.repeat(limits.bodyBytes / 2) }
  const call = { ctx, installed: { fields: {} }, request: { additionalFields } } as never
  const all = Promise.all(Array.from({ length: 10 }, () => signedRequest(remote, 'run', call)))
  let mostAtOnce = made
  while (made < 10) {
    const before = made
    await setImmediate()
    mostAtOnce = Math.max(mostAtOnce, made - before)
  }
  expect(mostAtOnce).toBe(1)
  for (const { body } of await all) expect(body?.length).toBeGreaterThan(limits.bodyBytes)
})

test('calls of a family with large values wait until earlier ones are answered', async () => {
  const whole = limits.organizationAnswerBytes
  const begun: string[] = []
  const begin = (name: string, parent: string | null, characters: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = whileHeld({ id: name, parent }, characters, () => {
      begun.push(name)
      return promise
    })
    return { answer: resolve, done }
  }
  const calls = [
    begin('first', 'acme', whole),
    begin('second', 'acme', whole),
    begin('small', 'acme', 1_000),
    begin('other', null, whole),
  ]
  await setImmediate()
  expect(begun.toSorted()).toEqual(['first', 'other', 'small'])
  calls[0]!.answer()
  await expect.poll(() => begun).toContain('second')
  for (const { answer } of calls) answer()
  await Promise.all(calls.map(({ done }) => done))
})

test('turns of large values are not the time of a vendor', async () => {
  let parts = 0
  const caller = {
    organization: { id: 'one', parent: null },
    signal: new AbortController().signal,
    whilePaused<T>(work: () => Promise<T>): Promise<T> {
      parts++
      return work()
    },
  }
  function* steps() {
    yield
    return 'done'
  }
  for (const characters of [100, 100_000]) {
    expect(await inTurnIfLarge(caller, characters, steps())).toBe('done')
  }
  expect(parts).toBe(1)
})
