import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RowChange } from '../../../src/formats/rows/row-change.ts'
import { applyRows } from '../../../src/imports/writing/apply-rows.ts'
import { hashOfGroup, withRowDigest } from '../../../src/imports/writing/row-digest.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import type { Annotations, ProductDocument } from '../../../src/products/product.ts'
import { currentDigest } from '../../../src/products/row-digest.ts'
import { document, offer } from '../products/make.ts'

const SETTINGS = { createProducts: true, updateMetadata: true }

/** The result of an import run for a product. */
function applied(
  existing: ProductDocument | undefined,
  rows: readonly RowChange[],
  { task, ...settings }: { task: string } & typeof SETTINGS,
) {
  const applying = applyRows('p', existing, rows, {
    ...settings,
    catalog: 'c',
    organization: 'o',
    stamp: { entryId: 'e', actor: 'ada', source: 'import' },
    now: new Date('2026-02-03'),
    marking: { task, fence: 1, kept: 0, numbers: rows.map((_, at) => at + 1) },
  })
  return withRowDigest(atOnce(applying), existing, rows, { task, ...settings })
}

/** The document after it was stored and read again. */
const stored = (made: ProductDocument): ProductDocument => JSON.parse(JSON.stringify(made))

const text = fc.constantFrom('a', 'b', 'c')
const texts = fc.dictionary(text, text, { maxKeys: 2, noNullPrototype: true })
const KEPT = 'https://shop.example/api/images/abcdefghijklmnopqrstuv.png'
const address = fc.constantFrom(...[1, 2, 3, 4].map((at) => `https://cdn.example/${at}.png`), KEPT)
const link = fc.record(
  { type: text, value: text, recommended: fc.constant(false) },
  { noNullPrototype: true },
)
const offerChange = fc.record(
  {
    vendorName: text,
    cost: fc.constantFrom(1, 2, null),
    onHand: fc.constantFrom(0, 5),
    name: text,
  },
  { requiredKeys: ['vendorName'], noNullPrototype: true },
)
const hidden = fc.constantFrom(true as const, null, null, null)
const rowChange = fc.record(
  {
    id: fc.constant('p'),
    patch: fc.record(
      { name: text, msrp: fc.constantFrom(1, null), image: address, links: fc.array(link), hidden },
      { requiredKeys: [], noNullPrototype: true },
    ),
    attributes: texts,
    facets: texts,
    options: texts,
    offers: fc.array(offerChange, { maxLength: 2 }),
    action: fc.constantFrom('update', 'update', 'update', 'update', 'update', 'withdraw', 'delete'),
  },
  { requiredKeys: ['id', 'patch', 'offers'] },
) as fc.Arbitrary<RowChange>
const before = fc.option(
  fc
    .record({
      product: fc.record({ name: text, hidden, attributes: texts, links: fc.array(link) }),
      vendors: fc.uniqueArray(text, { maxLength: 2 }),
      links: fc.oneof(fc.constant([]), fc.array(link, { maxLength: 1 })),
      pictures: fc.array(fc.record({ source: address, url: fc.constant(KEPT) }), { maxLength: 1 }),
    })
    .map(({ product, vendors, links, pictures }) => ({
      ...document({ ...product, vendors: vendors.map((one) => offer(one)) }, { o: { links } }),
      ...(pictures.length > 0 ? { pictures: pictures.map((one) => ({ ...one, task: 't' })) } : {}),
    })),
  { nil: undefined },
)

describe('rows with a digest', () => {
  test('change nothing when they are imported again, whatever annotations were added meanwhile', () => {
    const rows = fc.array(rowChange, { minLength: 1, maxLength: 3 })
    const since = fc.record({ links: fc.array(link, { maxLength: 2 }), source: address })
    let proven = 0
    const property = fc.property(before, rows, since, fc.boolean(), (existing, all, more, data) => {
      const settings = { createProducts: true, updateMetadata: data }
      const { document: made } = applied(existing, all, { task: 'first', ...settings })
      if (!made || currentDigest(made) === undefined) return
      proven++
      const annotated: Annotations = { ...made.annotations.o!, links: more.links }
      const pictures = [{ source: more.source, url: KEPT, task: 't' }]
      const now = { ...stored(made), annotations: { o: annotated }, pictures }
      const again = applied(now, all, { task: 'second', ...settings })
      expect(again.document).toBeUndefined()
      expect(new Set(again.outcomes)).toEqual(new Set(['unchanged']))
    })
    fc.assert(property, { numRuns: 1_000 })
    expect(proven).toBeGreaterThan(100)
  })

  const row: RowChange = {
    id: 'p',
    patch: { name: 'Desk' },
    offers: [{ vendorName: 'Nord', cost: 1 }],
  }
  const hash = (rows: readonly RowChange[], updateMetadata = true, id = 'p') =>
    hashOfGroup(id, rows, { updateMetadata })

  test('differ from those of other products and other settings', () => {
    const dearer: RowChange = { ...row, offers: [{ vendorName: 'Nord', cost: 2 }] }
    const all = [
      hash([row]),
      hash([dearer]),
      hash([row, dearer]),
      hash([dearer, row]),
      hash([row], false),
      hash([row], true, 'q'),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(hash([{ ...row }])).toBe(hash([row]))
  })

  test.each<[string, Partial<RowChange>]>([
    ['deletes', { action: 'delete' }],
    ['withdraws', { action: 'withdraw' }],
    ['is refused', { refused: 'no price' }],
    ['hides', { patch: { hidden: true } }],
    ['names a picture that is kept', { patch: { image: KEPT } }],
  ])('do not match if %s', (_, part) => {
    expect(hash([row, { ...row, ...part }])).toBeUndefined()
  })

  test('are valid until the product has another version', () => {
    const made = applied(undefined, [row], { task: 't', ...SETTINGS }).document!
    expect(currentDigest(made)).toHaveLength(24)
    for (const version of [2, 257, 65_537, 2 ** 24 + 1]) {
      expect(currentDigest({ ...made, product: { ...made.product, version } })).toBeUndefined()
    }
  })

  test('are not stored if the same import changed the product before', () => {
    const made = applied(undefined, [row], { task: 't', ...SETTINGS }).document
    const other = [
      { ...row, patch: { name: 'Table' } },
      { ...row, patch: { name: 'Chair' } },
    ]
    expect(applied(made, other, { task: 't', ...SETTINGS }).document?.rowDigest).not.toBe(
      made?.rowDigest,
    )
    const next = applied(made, other, { task: 't', ...SETTINGS }).document!
    expect(currentDigest(next)).toBeUndefined()
  })
})
