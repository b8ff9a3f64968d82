import { describe, expect, test } from 'vitest'
import { PreconditionFailed } from '../../../src/errors.ts'
import { firstDocument, nextDocument } from '../../../src/products/next-document.ts'
import { noAnnotations, type ProductDocument } from '../../../src/products/product.ts'
import {
  applyRequest,
  type DraftDocument,
  hasRoom,
  type RequestedChange,
} from '../../../src/products/requested-change.ts'
import { document, offer, product, stamp } from './make.ts'

const NOW = new Date('2026-02-03T00:00:00.000Z')

const renamed = (before: ProductDocument, name: string | null): ProductDocument => ({
  ...before,
  product: { ...before.product, name },
})

describe('advance', () => {
  test('a change increments the version, stamps the product and adds a log entry', () => {
    const before = document({ name: 'A' })
    expect(nextDocument(before, renamed(before, 'B'), { stamp: stamp(), now: NOW })).toEqual({
      product: product({
        name: 'B',
        version: 2,
        updatedBy: 'somebody',
        lastUpdated: NOW.toISOString(),
      }),
      annotations: {},
      pending: [
        {
          id: 'e1',
          catalog: 'c',
          productId: 'p',
          version: 2,
          updatedBy: 'somebody',
          source: 'api',
          timestamp: NOW.toISOString(),
          changes: [{ field: 'name', before: 'A', after: 'B' }],
        },
      ],
    })
  })

  test('a change without effect is none', () => {
    const before = document({ name: 'A' })
    const same = renamed(before, 'A')
    expect(nextDocument(before, same, { stamp: stamp(), now: NOW })).toBeUndefined()
  })

  test('annotations change neither version nor log', () => {
    const before = document({ name: 'A' })
    const after = { ...before, annotations: { o: { ...noAnnotations, tags: ['x'] } } }
    const next = nextDocument(before, after, { stamp: stamp(), now: NOW })
    expect(next).toEqual(after)
    expect(next?.product).toBe(before.product)
  })

  test('fields that are not logged increment the version all the same', () => {
    const before = document()
    const after = { ...before, product: { ...before.product, vendors: [offer('a')] } }
    const options = { stamp: stamp(), now: NOW, unlogged: ['vendors'] }
    expect(nextDocument(before, after, options)).toMatchObject({
      product: { version: 2 },
      pending: [],
    })
  })

  test('time never goes backwards within a product', () => {
    const before = document({ lastUpdated: '2030-01-01T00:00:00.000Z' })
    const next = nextDocument(before, renamed(before, 'B'), { stamp: stamp(), now: NOW })
    expect(next?.product.lastUpdated).toBe('2030-01-01T00:00:00.000Z')
  })

  test('a creation is logged with the product’s fields', () => {
    const [entry] = firstDocument(product({ name: 'A' }), stamp()).pending
    expect(entry).toMatchObject({
      version: 1,
      changes: [{ field: 'name', before: null, after: 'A' }],
    })
  })
})

describe('a requested change', () => {
  const rename = (name: string, more: Partial<RequestedChange> = {}): RequestedChange => ({
    change: (before) => renamed(before, name),
    stamp: stamp(name),
    ...more,
  })
  const draft = (before = document()): DraftDocument => ({ document: before, points: [] })

  test('is applied to the result of the previous one', () => {
    const drafts = [draft()]
    for (const name of ['A', 'A', 'B']) drafts.push(applyRequest(drafts.at(-1)!, rename(name), NOW))
    const last = drafts[3]!.document
    expect(last.product).toMatchObject({ name: 'B', version: 3 })
    expect(last.pending.map(({ id, version }) => [id, version])).toEqual([
      ['A', 2],
      ['B', 3],
    ])
    expect(drafts[2]).toBe(drafts[1])
  })

  test('is refused for another version', () => {
    const stale = rename('Y', { ifMatch: '2' })
    expect(() => applyRequest(draft(), stale, NOW)).toThrow(PreconditionFailed)
  })

  test('of offers can omit the log entry: Insights have it, with the same id if applied again', () => {
    const request: RequestedChange = {
      change: (before) => ({
        ...before,
        product: { ...before.product, vendors: [offer('a', { cost: 5, onHand: 2 })] },
      }),
      stamp: stamp('e7'),
      offersUnlogged: true,
    }
    const made = applyRequest(draft(), request, NOW)
    expect(made.document).toMatchObject({ product: { version: 2 }, pending: [] })
    expect(made.points).toMatchObject([{ vendor: 'a', price: 5, onHand: 2, version: 2 }])
    expect(applyRequest(draft(), request, NOW)).toEqual(made)
    expect(applyRequest(draft(made.document), request, NOW).points).toEqual([])
  })

  test('waits if the entries of a document have no room', () => {
    const large = (letter: string): RequestedChange => ({
      stamp: stamp(letter),
      change: (before) => ({
        ...before,
        product: {
          ...before.product,
          attributes: Object.fromEntries(
            Array.from({ length: 300 }, (_, n) => [`n${n}`, letter.repeat(2_000)]),
          ),
        },
      }),
    })
    const one = applyRequest(draft(), large('a'), NOW)
    expect(hasRoom(one.document)).toBe(true)
    expect(hasRoom(applyRequest(one, large('b'), NOW).document)).toBe(false)
  })
})
