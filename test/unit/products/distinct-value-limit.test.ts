import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createCountedValues } from '../../../src/products/distinct-value-limit.ts'
import { emptyProduct } from '../../../src/products/next-document.ts'
import type { Product } from '../../../src/products/product.ts'

const MOST = limits.countedValues

const product = (given: Partial<Product> = {}): Product => ({
  ...emptyProduct({ id: 'P', catalog: 'shop', actor: 'ann', now: new Date(0) }),
  ...given,
})
const facets = (...values: readonly (string | number)[]) =>
  product({ facets: Object.fromEntries(values.map((value) => [`f${value}`, String(value)])) })

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

/** Values of one organization; `counted` are those that Elasticsearch counts in a field. */
function organization(counted: number, field = 0) {
  let now = 0
  let counts = 0
  let isFailing = false
  const values = createCountedValues({
    count: async () => {
      counts += 1
      if (isFailing) throw new Error('too slow')
      return [0, 0, 0, 0, 0].with(field, counted)
    },
    now: () => now,
  })
  return {
    counts: () => counts,
    setCounted: (next: number) => (counted = next),
    setFailing: (next: boolean) => (isFailing = next),
    pass: (ms: number) => (now += ms),
    async write(after: Product, before?: Product) {
      const problem = values.problemOf('acme', { before, after })
      await Promise.resolve()
      return problem
    },
  }
}

test('values are counted after many distinct ones were written, and again when the room is used', async () => {
  const acme = organization(MOST / 2)
  for (let at = 0; at < 1_000; at++) await acme.write(facets('same'))
  expect(acme.counts()).toBe(0)
  for (let at = 0; at < 11; at++) await acme.write(facets(...range(at * 1_000, (at + 1) * 1_000)))
  expect(acme.counts()).toBe(1)
  // Nearly half of the limit is left.
  for (let at = 11; at < 200; at++) await acme.write(facets(...range(at * 1_000, (at + 1) * 1_000)))
  expect(acme.counts()).toBe(1)
  for (let at = 200; at < 280; at++)
    await acme.write(facets(...range(at * 1_000, (at + 1) * 1_000)))
  expect(acme.counts()).toBe(2)
})

test('an organization with too many values gets no new ones until they are fewer', async () => {
  const acme = organization(MOST)
  for (let at = 0; at < 11; at++) await acme.write(facets(...range(at * 1_000, (at + 1) * 1_000)))
  const refusal =
    'the organization has 500,000 different facet values in the index that catalogs share, which is the limit'
  expect(await acme.write(facets('new'))).toBe(refusal)
  // What the product has stays, and other fields have limits of their own.
  expect(await acme.write(facets('a'), facets('a', 'b'))).toBeUndefined()
  expect(await acme.write(product({ manufacturer: 'Northforge' }))).toBeUndefined()
  expect(await acme.write(facets('a', 'c'), facets('a', 'b'))).toBe(refusal)

  acme.setCounted(MOST - 1)
  expect(await acme.write(facets('new'))).toBe(refusal)
  expect(acme.counts()).toBe(1)
  acme.pass(5_000)
  expect(await acme.write(facets('new'))).toBe(refusal)
  expect(acme.counts()).toBe(2)
  expect(await acme.write(facets('new'))).toBeUndefined()
})

test('while values cannot be counted, what is written in the meantime counts', async () => {
  const acme = organization(MOST - 1)
  const write = (from: number) => acme.write(facets(...range(from, from + 1_000)))
  for (let at = 0; at < 11; at++) await write(at * 1_000)
  acme.setFailing(true)
  let written = 11_000
  while (written < MOST * 1.1 && (await write(written)) === undefined) written += 1_000
  expect(written).toBeGreaterThan(MOST * 0.95)
  expect(written).toBeLessThan(MOST * 1.05)
  // It was counted again after every 10,000.
  expect(acme.counts()).toBeGreaterThan(45)

  acme.setFailing(false)
  acme.setCounted(10)
  acme.pass(5_000)
  expect(await write(written)).toBeDefined()
  expect(await write(written)).toBeUndefined()
})

test('values of each field are counted by themselves', async () => {
  onTestFinished(() => void Object.assign(limits, { countedValues: MOST }))
  Object.assign(limits, { countedValues: 10_000 })
  const acme = organization(0)
  acme.setFailing(true)
  for (let from = 0; from < 12_000; from += 1_000) {
    const { facets: values } = facets(...range(from, from + 1_000))
    const filters = Object.fromEntries(Object.keys(values).map((name) => [name, 1]))
    expect(await acme.write(product({ facets: values, filters }))).toBeUndefined()
  }
})

test.each([
  [3, 'manufacturers', { manufacturer: 'Northforge' }],
  [4, 'categories', { category: 'Anvils' }],
])('products without one are no new value of field %i', async (field, name, given) => {
  const acme = organization(MOST, field)
  for (let at = 0; at < 11; at++) await acme.write(facets(...range(at * 1_000, (at + 1) * 1_000)))
  expect(await acme.write(product())).toBeUndefined()
  expect(await acme.write(product(given))).toContain(`different ${name}`)
})
