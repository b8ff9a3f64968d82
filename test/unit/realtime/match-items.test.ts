import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { hasNumber, matchItems } from '../../../src/realtime/match-items.ts'
import { identity, item } from './make.ts'

const costs = (
  products: Parameters<typeof matchItems>[0],
  items: Parameters<typeof matchItems>[1],
) => atOnce(matchItems(products, items)).results.map((one) => one.item?.cost ?? one.error)

describe('an item is matched to the product', () => {
  test('by vendor part number, in any order, ignoring case and spaces', () => {
    const products = [identity({ vendorPartNumber: 'A-1' }), identity({ vendorPartNumber: 'B-2' })]
    const items = [
      item({ vendorPartNumber: ' b-2', cost: 2 }),
      item({ vendorPartNumber: 'A-1', manufacturerPartNumber: 'other', cost: 1 }),
    ]
    expect(costs(products, items)).toEqual([1, 2])
  })

  test('else by manufacturer part number', () => {
    const products = [identity({ manufacturerPartNumber: 'M-1' })]
    const byMaker = item({ vendorPartNumber: 'V-9', manufacturerPartNumber: 'm-1', cost: 3 })
    expect(costs(products, [byMaker])).toEqual([3])
    // An item with another vendor number is another offer for the product, such as a refurbished
    // one.
    const known = [identity({ vendorPartNumber: 'V-1', manufacturerPartNumber: 'M-1' })]
    expect(costs(known, [byMaker])[0]).toMatch(
      /^The response does not contain this product, but V-9/,
    )
    expect(costs(known, [item({ manufacturerPartNumber: 'M-1', cost: 4 })])).toEqual([4])
  })

  test('at each position that has the same product', () => {
    const [one, other] = ['c', 'd'].map((catalog) =>
      identity({ catalog, manufacturer: 'Drakesmoor', manufacturerPartNumber: 'M-1' }),
    )
    expect(costs([one!, other!], [item({ manufacturerPartNumber: 'M-1', cost: 5 })])).toEqual([
      5, 5,
    ])
  })

  test('but not if manufacturers share the number', () => {
    const products = ['Drakesmoor', 'Oakvale', null].map((manufacturer) =>
      identity({ manufacturer, manufacturerPartNumber: '100' }),
    )
    const said = costs(products, [item({ manufacturerPartNumber: '100', cost: 5 })])
    expect(said).toHaveLength(3)
    for (const one of said) expect(one).toMatch(/several of the products share/)
  })

  test('once: duplicates are skipped', () => {
    const products = [identity({ vendorPartNumber: 'A' })]
    const items = [1, 2].map((cost) => item({ vendorPartNumber: 'A', cost }))
    expect(costs(products, items)).toEqual([1])
  })
})

test('an item without a product is reported, at most three and shortened', () => {
  const items = ['X', 'Y', 'Z', 'W'].map((vendorPartNumber) => item({ vendorPartNumber }))
  const { results, strangers } = atOnce(matchItems([identity({ vendorPartNumber: 'A' })], items))
  expect(strangers).toEqual(['X', 'Y', 'Z', 'W'])
  expect(results).toEqual([
    {
      item: null,
      error: 'The response does not contain this product, but X, Y, Z, which was not requested.',
    },
  ])
  const long = atOnce(matchItems([], [item({ vendorPartNumber: 'x'.repeat(5_000) }), item()]))
  expect(long.strangers).toEqual(['x'.repeat(40), 'no part number'])
})

test('a failed item without numbers applies to all products without an item', () => {
  const asked = ['A', 'B'].map((vendorPartNumber) => identity({ vendorPartNumber }))
  const items = [item({ error: 'broken' }), item({ vendorPartNumber: 'B', cost: 2 })]
  expect(costs(asked, items)).toEqual(['broken', 2])
  expect(atOnce(matchItems(asked, items)).faults).toEqual(['no part number: broken'])
})

test('no item means no answer', () => {
  expect(costs([identity({ vendorPartNumber: 'A' })], [])).toEqual([
    'The response does not contain this product.',
  ])
})

describe('an item is refused only for its own product', () => {
  const refused = (fields: Parameters<typeof item>[0]) =>
    costs([identity({ vendorPartNumber: 'A' })], [item({ vendorPartNumber: 'A', ...fields })])[0]

  test('if it is not a valid offer', () => {
    expect(refused({ cost: -1 })).toBe('The response is invalid: cost: below 0.')
    expect(refused({ status: 'x'.repeat(limits.nameLength + 1) })).toMatch(
      /status: longer than 200 characters/,
    )
    expect(refused({ description: 'x'.repeat(2_001) })).toMatch(
      /description: longer than 2000 characters/,
    )
    expect(refused({ status: 'a\u001fb' })).toMatch(/control characters/)
    const warehouse = { warehouse: 'w', onHand: 1, inStockDate: null }
    expect(refused({ warehouses: Array(101).fill(warehouse) })).toMatch(/more than 100/)
    const long = { ...warehouse, warehouse: 'w'.repeat(201) }
    expect(refused({ warehouses: [long] })).toMatch(/a name is longer than 200/)
  })

  test('if the vendor says so', () => {
    expect(refused({ error: ' unknown part ', cost: 5 })).toBe('unknown part')
    expect(refused({ error: '  ', cost: 5 })).toBe(5)
  })
})

test('a product is requested by a number', () => {
  expect(hasNumber(identity())).toBe(false)
  expect(hasNumber(identity({ vendorPartNumber: ' ' }))).toBe(false)
  expect(hasNumber(identity({ manufacturerPartNumber: 'M' }))).toBe(true)
})

test('a product is given only an item with its own number, whatever is returned', () => {
  const number = fc.constantFrom('A', 'a ', 'B', 'C', '', null)
  const numbers = fc.record({
    vendorPartNumber: number,
    manufacturerPartNumber: number,
    manufacturer: fc.constantFrom('X', 'Y', null),
  })
  const same = (a: string | null, b: string | null) =>
    (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase() && (a ?? '').trim() !== ''
  fc.assert(
    fc.property(fc.array(numbers), fc.array(numbers), (asked, answered) => {
      const products = asked.map(identity)
      const items = answered.map(({ manufacturer: _, ...fields }, cost) =>
        item({ ...fields, cost }),
      )
      const { results, strangers } = atOnce(matchItems(products, items))
      expect(results).toHaveLength(products.length)
      expect(strangers.length).toBeLessThanOrEqual(items.length)
      for (const [at, result] of results.entries()) {
        const { vendorPartNumber, manufacturerPartNumber } = products[at]!
        if (!result.item) continue
        const said = items[result.item.cost!]!
        const byVendor = same(said.vendorPartNumber, vendorPartNumber)
        const byMaker = same(said.manufacturerPartNumber, manufacturerPartNumber)
        expect(byVendor || byMaker).toBe(true)
      }
    }),
  )
})
