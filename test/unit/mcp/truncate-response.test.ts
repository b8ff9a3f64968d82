import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { truncateResponse } from '../../../src/mcp/truncate-response.ts'

const many = (count: number) => Array.from({ length: count }, (_, at) => at)

test('an answer within the limit is sent unchanged', () => {
  const answer = { total: 1, products: [{ id: 'a', facets: { Voltage: '18 V' } }] }
  expect(JSON.parse(truncateResponse(answer))).toEqual(answer)
})

test('a long answer has the beginning of each part, with a note', () => {
  const facets = Object.fromEntries(many(400).map((at) => [`Facet ${at}`, 'x'.repeat(100)]))
  const products = many(50).map((at) => ({ id: `p${at}`, facets, description: 'y'.repeat(9_000) }))
  const text = truncateResponse({ total: 50, products })
  expect(text.length).toBeLessThanOrEqual(limits.toolCharacters)
  const read = JSON.parse(text)
  expect(read.shortened).toContain('too long')
  expect(read.products.map(({ id }: { id: string }) => id)).toEqual(products.map(({ id }) => id))
  expect(read.products[0].description).toMatch(/^y+… \(\d+ more characters\)$/)
  expect(read.products[0].facets).toMatchObject({ '…': '395 more' })
})

test('of an answer that is much too long, most is not even looked at', () => {
  let looks = 0
  const facet = () => {
    looks++
    return 'x'.repeat(200)
  }
  const product = Object.defineProperties(
    { id: 'p' },
    Object.fromEntries(many(1_000).map((at) => [`f${at}`, { enumerable: true, get: facet }])),
  )
  const text = truncateResponse({ products: many(50).map(() => ({ facets: product })) })
  expect(text.length).toBeLessThanOrEqual(limits.toolCharacters)
  // Without a bound each of the first passes would look at all of them.
  expect(looks).toBeLessThan(100_000)
})

test('the highest counts are kept, whatever their names', () => {
  const sizes = Object.fromEntries(many(1_000).map((at) => [`${at}`, at]))
  const names = Object.fromEntries(many(1_000).map((at) => [`${at} ${'n'.repeat(200)}`, at]))
  const read = JSON.parse(
    truncateResponse({ total: 9, facets: { Size: sizes }, manufacturers: names }),
  )
  const kept = Object.keys(read.facets.Size).filter((name) => name !== '…')
  expect(Math.min(...kept.map(Number))).toBe(1_000 - kept.length)
  expect(read.manufacturers).toMatchObject({ [`999 ${'n'.repeat(200)}`]: 999 })
})

test('a long field and very many lines are shortened, too', () => {
  expect(
    JSON.parse(truncateResponse({ description: 'z'.repeat(1_000_000) })).description,
  ).toContain('…')
  const lines = many(5_000).map((at) => ({ productId: `p${at}`, qty: '1', name: 'n'.repeat(90) }))
  const { matchedProducts } = JSON.parse(truncateResponse({ matchedProducts: lines }))
  expect(matchedProducts.at(-1)).toMatch(/^… \d+ more$/)
})
