import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyMatches, type IndexedProduct } from '../../../src/imports/writing/key-matches.ts'
import { type KeyedProduct, keysOfProduct } from '../../../src/imports/writing/row-keys.ts'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { offer } from '../products/make.ts'

const asRead = (product: Partial<IndexedProduct>): IndexedProduct => ({
  id: 'p',
  manufacturer: null,
  manufacturerPartNumber: null,
  upcs: [],
  vendors: [],
  ...product,
})
const sharing = (at: number) => asRead({ id: `P${at}`, upcs: ['111', `2${at}`] })

test('a key has the first six of its products, and no further product matters then', () => {
  const matches = createKeyMatches(keysOfProduct(asRead({ upcs: ['111', '27'] })), String)
  atOnce(matches.add(Array.from({ length: 7 }, (_, at) => sharing(at))))
  expect(matches.found.map(({ id }) => id)).toEqual(['P0', 'P1', 'P2', 'P3', 'P4', 'P5'])
  expect(matches.isComplete()).toBe(false)
  atOnce(matches.add([sharing(7), ...Array.from({ length: 5 }, () => sharing(7))]))
  expect(matches.found.slice(6).map(({ texts }) => texts.length)).toEqual(Array(6).fill(1))
  expect(matches.isComplete()).toBe(true)
})

test('a product has the keys that its own numbers make, in any case and with any punctuation', () => {
  const text = fc.constantFrom('', ' ', '-', 'a', 'A ', 'a-1', 'A-1', 'ß', 'İ', '１')
  const some = fc.record({
    manufacturer: fc.option(text),
    manufacturerPartNumber: fc.option(text),
    upcs: fc.array(text, { maxLength: 2 }),
    vendors: fc.array(
      fc.tuple(text, text).map(([name, vendorPartNumber]) => offer(name, { vendorPartNumber })),
      { maxLength: 2 },
    ),
  })
  const same = (product: KeyedProduct, wanted: KeyedProduct) => {
    const asked = keysOfProduct(wanted)
    const texts = new Set(asked.map((key) => key.text))
    const matches = createKeyMatches(asked, String)
    atOnce(matches.add([asRead(product)]))
    const own = keysOfProduct(product).map((key) => key.text)
    expect(new Set(matches.found.flatMap((one) => one.texts))).toEqual(
      new Set(own.filter((one) => texts.has(one))),
    )
  }
  fc.assert(fc.property(some, some, same))
})

test('products with thousands of offers are compared fast', async () => {
  const vendors = Array.from({ length: 500 }, (_, at) =>
    offer(`${'Vendor '.repeat(14)}${at}`, { vendorPartNumber: `${'N-1 ™'.repeat(20)}${at}` }),
  )
  const products = Array.from({ length: 100 }, (_, at) => asRead({ id: `P${at}`, vendors }))
  const wanted = keysOfProduct(asRead({ upcs: ['1'] }))
  const before = process.threadCpuUsage()
  await inSteps(createKeyMatches(wanted, String).add(products))
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200)
})
