import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Unavailable } from '../../../src/errors.ts'
import { noSettings } from '../../../src/extensions/installation.ts'
import { limits } from '../../../src/limits.ts'
import type { Context } from '../../../src/operation.ts'
import { createLog } from '../../../src/platform/log.ts'
import { callVendor, type Question } from '../../../src/realtime/call.ts'
import { THRESHOLD } from '../../../src/realtime/circuit-breaker.ts'
import type { Vendor } from '../../../src/realtime/vendors.ts'

test('a vendor with large values is called when earlier ones of its family were answered', async () => {
  const called: string[] = []
  const ask = (name: string, valueLength: number) => {
    const ctx = {
      elastic: {},
      organization: { id: name, parent: 'acme' },
      clock: { now: () => new Date(0) },
      background: { run: () => called.push(name) > 0 },
    } as unknown as Context
    const installed = { settings: {} }
    const vendor = { name, key: name, valueLength, installed, extension: {} } as unknown as Vendor
    const question = { action: 'run', additionalFields: {}, products: [] } as unknown as Question
    void callVendor(ctx, vendor, question)
  }
  ask('Oakvale', limits.organizationAnswerBytes)
  ask('Tidewell', limits.organizationAnswerBytes)
  ask('Small', 1_000)
  await setImmediate()
  expect(called.toSorted()).toEqual(['Oakvale', 'Small'])
})

test('a call that our turns make too long is no failure of the vendor, and no trial', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = 0
  const ctx = {
    ...{ elastic: {}, log: createLog('silent'), caller: { username: 'u' } },
    organization: { id: 'one', parent: null },
    clock: { now: () => new Date(now) },
    background: { run: (_: string, work: () => Promise<unknown>) => !!work() },
  } as unknown as Context
  type Run = (call: { ctx: Context }) => Promise<unknown>
  async function ask(run: Run) {
    const begun = Promise.withResolvers<void>()
    const extension = {
      manifest: { name: 'Oakvale', fields: [] },
      run(call: { ctx: Context }) {
        begun.resolve()
        return run(call)
      },
    }
    const installed = { id: 'i', organization: 'one', settings: noSettings, values: {} }
    const vendor = { name: 'Oakvale', key: 'o', valueLength: 0, installed, extension }
    const products = [{ vendorPartNumber: 'A-1', manufacturerPartNumber: null }]
    const question = { action: 'run', additionalFields: {}, products } as unknown as Question
    const reply = callVendor(ctx, vendor as unknown as Vendor, question)
    await Promise.race([begun.promise, reply])
    await vi.advanceTimersByTimeAsync(8_000)
    const { results, time } = await reply
    return time ? 'answered' : results[0]!.error
  }
  const tooLong: Run = (call) => call.ctx.whilePaused!(() => new Promise(() => undefined))
  const failing: Run = () => Promise.reject(new Unavailable('closed'))
  const answering: Run = async () => ({ success: true, error: null, items: [] })
  for (let at = 0; at < THRESHOLD; at++) {
    expect(await ask(tooLong)).toContain('Too many requests to Oakvale')
  }
  expect(await ask(answering)).toBe('answered')
  for (let at = 0; at < THRESHOLD; at++) expect(await ask(failing)).toBe('closed')
  expect(await ask(answering)).toContain('failed several times')
  now += 6_000
  expect(await ask(tooLong)).toContain('Too many requests to Oakvale')
  expect(await ask(answering)).toBe('answered')
})
