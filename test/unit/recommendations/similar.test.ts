import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scoredPairs } from '../../../src/recommendations/similar/extension.ts'
import { likenessOf } from '../../../src/recommendations/similar/likeness.ts'
import { product } from '../products/make.ts'

test('other work runs between comparisons of wide products, which end with their request', async () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `facet ${at}`)
  const wide = (id: string) =>
    product({
      id,
      facets: Object.fromEntries(names.map((name) => [name, 'x'])),
      filters: Object.fromEntries(names.map((name, at) => [name, at])),
    })
  const document = { product: wide('other'), annotations: {} } as never
  const pair = { at: 0, product: wide('one'), document }
  const pairs = Array.from({ length: 500 }, () => pair)
  const gone = new AbortController()
  const comparing = scoredPairs(gone, pairs)
  await setImmediate()
  gone.abort(new Error('gone'))
  await expect(comparing).rejects.toThrow('gone')
})

test('the offers of a product are read once for all comparisons', () => {
  let reads = 0
  const one = {
    ...product({ id: 'one', name: 'Drill', msrp: 5 }),
    get vendors() {
      reads++
      return []
    },
  }
  const compare = (msrp: number) => likenessOf(one, product({ name: 'Drill', msrp }))
  compare(1)
  const readOnce = reads
  compare(2)
  expect(reads).toBe(readOnce)
})
