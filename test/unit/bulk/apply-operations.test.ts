import { describe, expect, test, vi } from 'vitest'
import { type Applying, applyOperations, resultOf } from '../../../src/bulk/apply-operations.ts'
import { planOperation } from '../../../src/bulk/planned-operation.ts'
import { BatchOperation } from '../../../src/bulk/schemas.ts'
import { limits } from '../../../src/limits.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { document } from '../products/make.ts'

const BEGAN = new Date('2026-03-01T00:00:00Z')

const planned = (...operations: readonly object[]) =>
  operations.map((one, index) =>
    planOperation(BatchOperation.parse(one), {
      index,
      entryId: `e${index}`,
      newId: () => `new${index}`,
    }),
  )

const steps = (
  existing: Parameters<typeof applyOperations>[1],
  operations: ReturnType<typeof planned>,
  more: Partial<Applying> = {},
) => {
  const applying = {
    catalog: 'c',
    organization: 'o',
    actor: 'ada',
    began: BEGAN,
    isRepeated: false,
    isRemembered: true,
  }
  const now = new Date('2026-03-01T00:00:01Z')
  return applyOperations('p', existing, operations, {
    ...applying,
    done: new Map(),
    now,
    ...more,
  })
}

const applied = (...given: Parameters<typeof steps>) => {
  const all = atOnce(steps(...given))
  return { ...all, said: all.outcomes.map((one) => resultOf('p', one)) }
}

describe('operations on one product', () => {
  test('give way to other requests one by one', () => {
    const operations = planned(
      { action: 'create', product: { id: 'p' } },
      { action: 'update', id: 'p', product: { name: 'A' } },
    )
    expect([...steps(undefined, operations)]).toHaveLength(2)
  })

  test('serialize only what they change, however large the product is', () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`n${n}`, 'x'.repeat(2_000)]),
    )
    const names = Array.from({ length: 200 }, (_, n) => ({ name: `Name ${n}` }))
    const operations = planned(...names.map((product) => ({ action: 'update', id: 'p', product })))
    const { stringify } = JSON
    let characters = 0
    const counted = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      const text = stringify(value)
      characters += text.length
      return text
    })
    const { outcomes } = applied(document({ attributes }), operations)
    counted.mockRestore()
    expect(outcomes).toEqual(names.map(() => 'updated'))
    expect(characters).toBeLessThan(2 * limits.productBytes)
  })

  test('are applied in order with a log entry each, which a deletion keeps', () => {
    const operations = planned(
      { action: 'update', id: 'p', product: { msrp: 1 } },
      { action: 'delete', id: 'p' },
      { action: 'create', product: { id: 'p' } },
      { action: 'update', id: 'p', ifMatch: 1, product: { name: 'New' } },
    )
    const { document: next, removes, said } = applied(document({ name: 'Old' }), operations)
    expect(said.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(removes).toBeUndefined()
    expect(next?.product).toMatchObject({ name: 'New', msrp: null, version: 2 })
    expect(next?.pending.map(({ id, version }) => [id, version])).toEqual([
      ['e0', 2],
      ['e2', 1],
      ['e3', 2],
    ])
    const gone = applied(document(), operations.slice(0, 2))
    expect([gone.removes, gone.document?.pending.map(({ id }) => id)]).toEqual([true, ['e0']])
  })

  test('are not repeated once they were applied, however often their batch is', () => {
    const operations = planned(
      { action: 'update', id: 'p', ifMatch: 7, product: { msrp: 1 } },
      { action: 'upsert', id: 'p', product: { msrp: 2 } },
      { action: 'update', id: 'p', product: { name: 'Name' } },
    )
    const again = { isRepeated: true, done: new Map([['e1', 1]]) }
    const { document: next, said } = applied(document({ msrp: 3 }), operations, again)
    expect(said.map(({ status, message }) => [status, message])).toEqual([
      [409, expect.stringMatching(/^The operation was rejected or changed nothing before/)],
      [200, 'Product created.'],
      [200, 'Product updated.'],
    ])
    expect(next?.product).toMatchObject({ msrp: 3, name: 'Name' })
  })

  test('do not delete a product that may have been created since', () => {
    const [operation] = planned({ action: 'delete', id: 'p' })
    const again = { isRepeated: true }
    const made = document({ lastUpdated: '2026-03-01T00:00:00.500Z' })
    expect(applied(made, [operation!], again).said).toMatchObject([{ status: 409, id: 'p' }])
    expect(applied(made, [operation!]).said).toMatchObject([{ status: 200 }])
    const anew = document({ created: '2026-03-01T00:00:00.500Z' })
    expect(applied(anew, [operation!]).said).toMatchObject([{ status: 409, id: 'p' }])
    const unrepeatable = { isRemembered: false }
    expect(applied(anew, [operation!], unrepeatable).said).toMatchObject([{ status: 200 }])
    expect(applied(document(), [operation!], again).removes).toBe(true)
    expect(applied(undefined, [operation!], again).said).toMatchObject([
      { status: 200, message: 'The product does not exist.' },
    ])
    expect(applied(undefined, [operation!]).said).toMatchObject([{ status: 404, id: null }])
  })

  test('wait for the log if their pending entries would be too large', () => {
    const text = 'x'.repeat(limits.valueLength)
    const attributes = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a${n}`, text]))
    const [fill, empty] = [attributes, {}].map((one) => ({
      action: 'update',
      id: 'p',
      product: { attributes: one },
    }))
    const { outcomes } = applied(document(), planned(fill!, empty!, fill!, empty!))
    expect(outcomes).toEqual(['updated', 'updated'])
  })
})
