import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../src/platform/steps.ts'
import { createManufacturerNames } from '../../../src/products/manufacturer-names.ts'
import { rowsOf } from '../../../src/recommendations/bom/file.ts'
import { candidateOf, readProduct } from '../../../src/recommendations/bom/fit.ts'
import { lineOf, listOf } from '../../../src/recommendations/bom/line.ts'
import { createMakers } from '../../../src/recommendations/bom/makers.ts'
import { decideMatch } from '../../../src/recommendations/bom/match-decision.ts'
import type { JudgedProduct } from '../../../src/recommendations/bom/product.ts'
import { ranked } from '../../../src/recommendations/bom/ranking.ts'

const makers = atOnce(createMakers(createManufacturerNames(), ['HP', 'Xerox', 'Intel']))
const product = (id: string, more: Partial<JudgedProduct>): JudgedProduct => ({
  id,
  name: null,
  description: null,
  manufacturer: null,
  manufacturerPartNumber: null,
  category: null,
  subCategory: null,
  ...more,
})
const products = [
  product('toner', {
    name: 'HP CB436A black laser toner',
    manufacturer: 'HP',
    manufacturerPartNumber: 'CB436A',
    upcs: ['0884420588030'],
  }),
  product('chip', {
    name: 'Intel P7450 processor',
    manufacturer: 'Intel',
    manufacturerPartNumber: 'P7450',
  }),
  product('lamp', {
    name: 'Xerox replacement lamp',
    manufacturer: 'Xerox',
    manufacturerPartNumber: 'Replacement Lamp',
  }),
  product('short', { name: 'Intel 960', manufacturer: 'Intel', manufacturerPartNumber: '960' }),
]

const judged = async (text: string) => {
  const { rows, roles } = atOnce(listOf(await rowsOf(text)))
  const line = lineOf(rows.at(-1)!, roles, makers)
  const { matched, possible } = decideMatch(
    line,
    products.map((one) => candidateOf(line, atOnce(readProduct(one)), makers)),
  )
  return { matched: matched?.product.id, possible: possible.map((one) => one.product.id) }
}

describe('a match is:', () => {
  test.each([
    ['CB436A', 'toner'],
    ['cb 436 a', 'toner'],
    ['CB436A black toner', 'toner'],
    ['please order 0884420588030 for the second floor', 'toner'],
    ['MPN;Qty\n960;2', 'short'],
    ['Replacement lamp\tXerox\t3', 'lamp'],
  ])('%j', async (text, id) => {
    expect((await judged(text)).matched).toBe(id)
  })
})

describe('a possible match is:', () => {
  test.each([
    ['of another manufacturer', 'MPN;Brand\nCB436A;Xerox', 'toner'],
    ['what it goes with', 'drum compatible with CB436A', 'toner'],
    ['what it stands in for', 'black toner equivalent to CB436A', 'toner'],
    ['a part of something else', 'HP Pavilion notebook 17 inch Windows Vista P7450 4GB', 'chip'],
    ['a short number alone', '960', 'short'],
    ['beside a number that is nobody’s', 'MPN;Text\nZX-77119;CB436A', 'toner'],
    ['a name in a column of descriptions', 'MPN;Description\n;Replacement lamp', 'lamp'],
  ])('%s', async (_, text, id) => {
    expect(await judged(text)).toEqual({ matched: undefined, possible: [id] })
  })
})

test('a number with its manufacturer precedes a match by the same words', async () => {
  const drum = product('drum', {
    name: 'HP DK-310 Original',
    manufacturer: 'HP',
    manufacturerPartNumber: 'DK-310',
  })
  const other = product('other', { name: 'Drum unit', manufacturer: 'Xerox' })
  const { rows, roles } = atOnce(listOf(await rowsOf('HP DK-310 drum unit')))
  const line = lineOf(rows[0]!, roles, makers)
  const [byNumber, byWords] = [drum, other].map((one) =>
    candidateOf(line, atOnce(readProduct(one)), makers),
  )
  expect(ranked([byNumber!], [byWords!]).map((one) => one.product.id)).toEqual(['drum', 'other'])
})

test('others can run between the numbers of a product', () => {
  const upcs = Array.from({ length: 500 }, (_, at) => `N-${at}`)
  const vendors = upcs.map((number) => ({ vendorPartNumber: `V-${number}` }))
  expect([...readProduct(product('many', { upcs, vendors }))]).toHaveLength(1_001)
})

test('equal numbers of offers fit a line once, with and without punctuation', () => {
  const vendors = ['CB436A', 'cb436a', 'CB-436A', 'CB.436A'].map((vendorPartNumber) => ({
    vendorPartNumber,
  }))
  const line = lineOf({ line: 1, cells: ['CB436A'] }, [], makers)
  const one = candidateOf(line, atOnce(readProduct(product('toner', { vendors }))), makers)
  expect(one.fits.map(({ kind, exact }) => ({ kind, exact }))).toEqual([
    { kind: 'vendorPartNumber', exact: true },
    { kind: 'vendorPartNumber', exact: false },
  ])
})
