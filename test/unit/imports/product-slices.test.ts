import { expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { createProductSlices } from '../../../src/imports/writing/product-slices.ts'

const services = { elastic: {} as Elastic }
const place = { kind: 'products', scope: 'o/c' } as never
const groups = Array.from({ length: 100 }, (_, at) => at)

test('products are drafted a few at first, and then as many as their lines allow', () => {
  const slices = createProductSlices(services, { place })
  const next = () => slices.next(groups, { areRead: false }).length
  expect(next()).toBe(10)
  slices.drafted(10, 10_000)
  expect(next()).toBe(50)
  slices.drafted(50, 50 * 400_000)
  expect(next()).toBe(10)
  slices.drafted(0, 0)
  expect(next()).toBe(50)
})
