import { describe, expect, test } from 'vitest'
import { PreconditionFailed } from '../../../src/errors.ts'
import { advance, firstDocument } from '../../../src/products/change.ts'
import { plan, type Wish } from '../../../src/products/plan.ts'
import { noAnnotations, type ProductDocument } from '../../../src/products/product.ts'
import { document, offer, product, stamp } from './make.ts'

const NOW = new Date('2026-02-03T00:00:00.000Z')

const renamed = (before: ProductDocument, name: string | null): ProductDocument => ({
  ...before,
  product: { ...before.product, name },
})

describe('advance', () => {
  test('a change raises the version, stamps the product and leaves an entry', () => {
    const before = document({ name: 'A' })
    expect(advance(before, renamed(before, 'B'), { stamp: stamp(), now: NOW })).toEqual({
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

  test('no difference is no change', () => {
    const before = document({ name: 'A' })
    const same = renamed(before, 'A')
    expect(advance(before, same, { stamp: stamp(), now: NOW })).toBeUndefined()
  })

  test('annotations alone change neither version nor log', () => {
    const before = document({ name: 'A' })
    const after = { ...before, annotations: { o: { ...noAnnotations, tags: ['x'] } } }
    const next = advance(before, after, { stamp: stamp(), now: NOW })
    expect(next).toEqual(after)
    expect(next?.product).toBe(before.product)
  })

  test('fields that are not logged raise the version all the same', () => {
    const before = document()
    const after = { ...before, product: { ...before.product, vendors: [offer('a')] } }
    const options = { stamp: stamp(), now: NOW, unlogged: ['vendors'] }
    expect(advance(before, after, options)).toMatchObject({ product: { version: 2 }, pending: [] })
  })

  test('time never goes back within a product', () => {
    const before = document({ lastUpdated: '2030-01-01T00:00:00.000Z' })
    const next = advance(before, renamed(before, 'B'), { stamp: stamp(), now: NOW })
    expect(next?.product.lastUpdated).toBe('2030-01-01T00:00:00.000Z')
  })

  test('a creation is logged with what the product has', () => {
    const [entry] = firstDocument(product({ name: 'A' }), stamp()).pending
    expect(entry).toMatchObject({
      version: 1,
      changes: [{ field: 'name', before: null, after: 'A' }],
    })
  })
})

describe('plan', () => {
  const rename = (name: string, more: Partial<Wish> = {}): Wish => ({
    change: (before) => renamed(before, name),
    stamp: stamp(name),
    ...more,
  })

  test('wishes are fulfilled one after the other', () => {
    const wishes = [rename('A'), rename('A'), rename('B')]
    const { document: next, outcomes, deferred } = plan(document(), wishes, NOW)
    expect(next.product).toMatchObject({ name: 'B', version: 3 })
    expect(next.pending.map(({ id, version }) => [id, version])).toEqual([
      ['A', 2],
      ['B', 3],
    ])
    const changed = wishes
      .map((wish) => outcomes.get(wish))
      .map((one) => one && 'changed' in one && one.changed)
    expect(changed).toEqual([true, false, true])
    expect(deferred).toEqual([])
  })

  test('one that fails leaves the others alone', () => {
    const broken = rename('X', {
      change: () => {
        throw new Error('broken')
      },
    })
    const stale = rename('Y', { ifMatch: '1' })
    const { document: next, outcomes } = plan(document(), [rename('A'), broken, stale], NOW)
    expect(next.product).toMatchObject({ name: 'A', version: 2 })
    expect(outcomes.get(broken)).toEqual({ error: new Error('broken') })
    expect(outcomes.get(stale)).toEqual({ error: expect.any(PreconditionFailed) })
  })

  test('when nothing changes the very document comes back', () => {
    const before = document({ name: 'A' })
    expect(plan(before, [rename('A')], NOW).document).toBe(before)
  })

  test('offers may change without an entry: Insights are told instead, the same when planned again', () => {
    const wish: Wish = {
      change: (before) => ({
        ...before,
        product: { ...before.product, vendors: [offer('a', { cost: 5, onHand: 2 })] },
      }),
      stamp: stamp('e7'),
      offersUnlogged: true,
    }
    const planned = plan(document(), [wish], NOW)
    expect(planned.document).toMatchObject({ product: { version: 2 }, pending: [] })
    expect(planned.points).toMatchObject([{ vendor: 'a', price: 5, onHand: 2, version: 2 }])
    expect(plan(document(), [wish], NOW).points).toEqual(planned.points)
    expect(plan(planned.document, [wish], NOW)).toMatchObject({
      document: planned.document,
      points: [],
    })
  })

  test('entries beyond the room of a document wait for another round', () => {
    const large = (letter: string): Wish => ({
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
    const wishes = ['a', 'b', 'c', 'd'].map(large)
    const { outcomes, deferred } = plan(document(), wishes, NOW)
    expect(outcomes.size).toBe(2)
    expect(deferred).toEqual(wishes.slice(2))
  })
})
