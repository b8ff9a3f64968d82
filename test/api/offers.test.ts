import { beforeAll, describe, expect, test } from 'vitest'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: 'split',
      vendors: [
        { vendorName: 'Alpha', cost: 100, inStock: true },
        { vendorName: 'Beta', cost: 10, inStock: false },
      ],
    },
    {
      id: 'both',
      vendors: [
        { vendorName: 'Alpha', cost: 20, inStock: true },
        { vendorName: 'Beta', cost: 15, inStock: true },
      ],
    },
    { id: 'noPrice', vendors: [{ vendorName: 'Alpha', inStock: true }] },
    { id: 'listed', msrp: 12 },
    { id: 'nothing' },
    { id: 'msrpBeside', msrp: 1, vendors: [{ vendorName: 'Gamma', cost: 50, inStock: false }] },
    { id: 'onRequest', msrp: 70, vendors: [{ vendorName: 'Delta', inStock: true }] },
  ])
})

const found = async (body: object) => (await bench.ids(body)).toSorted()

describe('conditions on vendor, price and stock must hold for one offer', () => {
  test.each([
    ['a vendor', { vendors: ['Beta'] }, ['both', 'split']],
    ['a vendor, in stock', { vendors: ['Beta'], inStock: true }, ['both']],
    ['a vendor, at most 20', { vendors: ['Alpha'], highPrice: 20 }, ['both']],
    ['one of two vendors, at most 12', { vendors: ['Alpha', 'Beta'], highPrice: 12 }, ['split']],
    [
      'one of two vendors, at most 12, in stock',
      { vendors: ['Alpha', 'Beta'], highPrice: 12, inStock: true },
      [],
    ],
    ['at most 12', { highPrice: 12 }, ['listed', 'split']],
    ['at most 12, in stock', { highPrice: 12, inStock: true }, []],
    ['in stock', { inStock: true }, ['both', 'noPrice', 'onRequest', 'split']],
    ['by criterion', { must: [{ type: 'vendor', value: 'Alpha' }], lowPrice: 50 }, ['split']],
    [
      'two vendors, each on an offer of its own',
      { vendors: ['Alpha'], must: [{ type: 'vendor', value: 'Beta' }], highPrice: 30 },
      ['both'],
    ],
    ['no stock said', { inStock: false, vendors: ['Gamma'] }, ['msrpBeside']],
    ['ends are inclusive', { lowPrice: 15, highPrice: 15 }, ['both']],
    ['msrp only where no offer has a cost', { highPrice: 1 }, []],
    ['msrp of an offer without a cost', { lowPrice: 60, highPrice: 80 }, ['onRequest']],
    ['and in stock', { lowPrice: 60, highPrice: 80, inStock: true }, ['onRequest']],
    ['and by its vendor', { lowPrice: 60, vendors: ['Delta'] }, ['onRequest']],
  ])('%s', async (_, body, ids) => {
    expect(await found(body)).toEqual(ids)
    const { body: count } = await bench.at('POST', '/count', body)
    expect(count.count).toBe(ids.length)
  })
})

describe('sorting by price uses the cheapest offer that matches', () => {
  const last = ['noPrice', 'nothing']

  test.each([
    [{}, ['split', 'listed', 'both', 'msrpBeside', 'onRequest', ...last]],
    [{ inStock: true }, ['both', 'onRequest', 'split', 'noPrice']],
    [{ vendors: ['Alpha'] }, ['both', 'split', 'noPrice']],
    [{ vendors: ['Alpha', 'Beta'] }, ['split', 'both', 'noPrice']],
    [{ lowPrice: 13 }, ['both', 'msrpBeside', 'onRequest', 'split']],
    [{ lowPrice: 60 }, ['onRequest', 'split']],
    [{ lowPrice: 16, vendors: ['Alpha', 'Beta'] }, ['both', 'split']],
  ])('%j', async (body, ids) => {
    expect(await bench.ids({ ...body, sort: 'price' })).toEqual(ids)
    const priced = ids.filter((id) => !last.includes(id))
    const backwards = [...priced.toReversed(), ...ids.filter((id) => last.includes(id))]
    expect(await bench.ids({ ...body, sort: '-price' })).toEqual(backwards)
  })
})

describe('vendors are counted by product', () => {
  const vendors = async (body: object) =>
    (await bench.search({ ...body, counts: true })).metadata.counts.vendors

  test.each([
    [{}, { Alpha: 3, Beta: 2, Gamma: 1, Delta: 1 }],
    [{ inStock: true }, { Alpha: 3, Beta: 1, Delta: 1 }],
    [{ highPrice: 20 }, { Alpha: 1, Beta: 2 }],
    [
      { highPrice: 20, inStock: true },
      { Alpha: 1, Beta: 1 },
    ],
    [
      { lowPrice: 60, vendors: ['Beta'] },
      { Alpha: 1, Beta: 0, Delta: 1 },
    ],
  ])('%j', async (body, counts) => {
    expect(await vendors(body)).toEqual(counts)
    for (const [vendor, count] of Object.entries(counts)) {
      const { total } = await bench.search({ ...body, vendors: [vendor] })
      expect([vendor, total]).toEqual([vendor, count])
    }
  })
})
