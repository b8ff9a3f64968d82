import { describe, expect, test } from 'vitest'
import { demoFiles } from '../../../demo/files.ts'
import { demoPictures } from '../../../demo/pictures.ts'
import { demoProducts } from '../../../demo/products.ts'
import { vendors } from '../../../demo/vendors.ts'
import { demoLines } from '../../../src/demo/catalog.ts'
import { limits } from '../../../src/limits.ts'

const products = [...demoProducts()]

const distinct = (texts: readonly string[]) => new Set(texts).size

/**
 * The weighted sum of all digits, from the right with 1 and 3 in turn, must be a multiple of ten.
 */
const isValidUpc = (upc: string) =>
  /^\d{12}$/.test(upc) &&
  [...upc].reverse().reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0) % 10 === 0

describe('the demo catalog', () => {
  test.each(['pictures', 'products'] as const)(
    '%s are the output of `npm run demo:make`',
    async (name) => {
      const made = demoFiles()[`${name}.jsonl.br`]!.split('\n').slice(0, -1)
      let line = 0
      for await (const kept of demoLines(name)) {
        if (kept !== made[line]) expect.fail(`line ${line + 1} differs: run npm run demo:make`)
        line += 1
      }
      expect(line).toBe(made.length)
    },
  )

  test('has 5,000 products in twelve families, the same on every machine', () => {
    expect(products).toHaveLength(5000)
    const firstOf = (key: string) => {
      const { manufacturerPartNumber, name } = products.find(({ id }) => id === `${key}-0001`)!
      return `${manufacturerPartNumber} | ${name}`
    }
    expect(['notebook', 'hex-bolt', 'toner', 'bearing'].map(firstOf)).toEqual([
      'CV1040-1438N | Corvanta Galley 14 G5 14" WUXGA Arden 3 1215 8 GB 2 TB SSD Notebook, Silver, Nordic keyboard',
      '012-100-129HOP/100.IT | Ironthistle Hex bolt M12 x 100 mm, class 12.9, hot-dip galvanized, partially threaded, pack of 100',
      'PH0137A-K1-0889 | Printhollow Genuine black toner 0137A for Printhollow Metro 3300, 3000 pages',
      'RV-30305/C4 | Rotavance Tapered roller bearing 30305/C4, 25 x 62 x 18.25 mm',
    ])
    expect(new Set(products.map(({ id }) => id.replace(/-\d+$/, ''))).size).toBe(12)
  })

  test('has a unique id, and unique part number and name per manufacturer', () => {
    expect(distinct(products.map(({ id }) => id))).toBe(5000)
    expect(distinct(products.map(({ name }) => name))).toBe(5000)
    const partNumbers = products.map((p) => `${p.manufacturer} ${p.manufacturerPartNumber}`)
    expect(distinct(partNumbers)).toBe(5000)
    expect(partNumbers.some((text) => / 0\d/.test(text))).toBe(true)
  })

  test('has UPCs with valid check digits, in a range without an owner', () => {
    const upcs = products.flatMap((product) => product.upcs)
    expect(upcs.filter((upc) => !isValidUpc(upc) || !upc.startsWith('4'))).toEqual([])
    expect(distinct(upcs)).toBe(5000)
  })

  test('has one to five offers per product, never two of one vendor', () => {
    const counts = new Set(products.map((product) => product.vendors.length))
    expect([...counts].sort()).toEqual([1, 2, 3, 4, 5])
    for (const { vendors: offers, msrp } of products) {
      expect(distinct(offers.map(({ vendorName }) => vendorName))).toBe(offers.length)
      for (const { cost, onHand, inStock } of offers) {
        expect(inStock).toBe(onHand! > 0)
        expect(cost).toBeGreaterThan(0)
        expect(cost).toBeLessThanOrEqual(msrp)
      }
    }
    const numbers = products.flatMap((product) =>
      product.vendors.map((offer) => `${offer.vendorName} ${offer.vendorPartNumber}`),
    )
    expect(distinct(numbers)).toBe(numbers.length)
    const selling = products.flatMap((p) => p.vendors.map(({ vendorName }) => vendorName))
    expect(distinct(selling)).toBe(vendors.length)
  })

  test('describes each product as synthetic', () => {
    expect(products.every((p) => p.attributes['Data source'] === 'Synthetic demo data')).toBe(true)
  })

  test('respects the limits of the service', () => {
    const texts = products.flatMap((p) => [
      ...[...Object.entries(p.attributes), ...Object.entries(p.facets)].flat(),
      p.description,
      p.subCategory,
    ])
    expect(texts.filter((text) => text.trim() !== text || text === '')).toEqual([])
    expect(texts.filter((text) => text.length > limits.valueLength)).toEqual([])
    expect(Math.max(...products.map(({ name }) => name.length))).toBeLessThanOrEqual(140)
    const numbers = products.flatMap((p) => [p.msrp, ...Object.values(p.filters)])
    expect(numbers.filter((number) => !Number.isFinite(number))).toEqual([])
  })

  test('names facets and numbers differently, so that none hides another', () => {
    const facets = new Set(products.flatMap(({ facets }) => Object.keys(facets)))
    expect(facets.size).toBeGreaterThan(25)
    for (const product of products) expect(Object.keys(product.facets).length).toBeGreaterThan(3)
  })
})

test('has a picture for each manufacturer and family, shown by its products', () => {
  const ids = demoPictures().map(({ id }) => id)
  expect(distinct(ids)).toBe(36)
  expect(new Set(products.flatMap(({ images }) => images.map(({ id }) => id)))).toEqual(
    new Set(ids),
  )
  const { image, images } = products[0]!
  expect(image).toMatch(/^\/api\/images\/[\w-]{22}\.png$/)
  expect(images).toEqual([
    { id: image.split('/').at(-1), url: image, name: 'Computers', type: 'image/png' },
  ])
})
