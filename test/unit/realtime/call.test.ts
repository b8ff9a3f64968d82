import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import type { Context } from '../../../src/operation.ts'
import { callVendor, type Question } from '../../../src/realtime/call.ts'
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
