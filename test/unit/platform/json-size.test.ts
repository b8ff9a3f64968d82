import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSurelyWithin } from '../../../src/platform/json-size.ts'

test('a value estimated to be within a limit is not longer as JSON, whatever it contains', () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 20_000 }), (value, bytes) => {
      const isWithin = Buffer.byteLength(JSON.stringify(value)) <= bytes
      expect(isWithin || !isSurelyWithin(value, bytes)).toBe(true)
    }),
  )
})

test('a typical product is estimated to be within the limit of products', () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`name ${i}`, 'blue']),
  )
  expect(isSurelyWithin({ description: 'x'.repeat(8_000), attributes }, 1024 * 1024)).toBe(true)
})

test('a property such as toJSON hides nothing', () => {
  expect(isSurelyWithin({ toJSON: 'yes', long: 'x'.repeat(2_000) }, 1_000)).toBe(false)
  expect(isSurelyWithin([{ toJSON: () => 'x'.repeat(2_000) }], 1_000)).toBe(false)
})
