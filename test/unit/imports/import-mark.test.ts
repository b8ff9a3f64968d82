import { describe, expect, test } from 'vitest'
import { type ApplyOptions, applyRows } from '../../../src/imports/writing/apply-rows.ts'
import { markAfter, outcomeBefore } from '../../../src/imports/writing/import-mark.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import type { ProductDocument } from '../../../src/products/product.ts'

const run = { task: 't', fence: 2, kept: 10 }

describe('the mark of an import', () => {
  test('contains the rows after the last stored checkpoint', () => {
    const outcomes = ['created', 'unchanged', 'updated'] as const
    const first = markAfter(undefined, run, { numbers: [11, 12, 14], outcomes })
    expect(first).toEqual({ task: 't', fence: 2, row: 14, created: 11, updated: [14] })
    const kept = { ...run, fence: 3, kept: 13 }
    const next = markAfter(first, kept, { numbers: [20], outcomes: ['updated'] })
    expect(next).toEqual({ task: 't', fence: 3, row: 20, updated: [14, 20] })
    const other = { ...run, task: 'other' }
    expect(markAfter(first, other, { numbers: [3], outcomes: ['updated'] })).toEqual({
      task: 'other',
      fence: 2,
      row: 3,
      updated: [3],
    })
  })

  test.each([
    [11, 'created'],
    [12, 'unchanged'],
    [14, 'updated'],
    [15, undefined],
  ])('has for row %i: %s', (row, expected) => {
    const mark = { task: 't', fence: 1, row: 14, created: 11, updated: [14] }
    expect(outcomeBefore(mark, run, row)).toBe(expected)
    expect(outcomeBefore(mark, { ...run, task: 'other' }, row)).toBeUndefined()
    expect(outcomeBefore(undefined, run, row)).toBeUndefined()
  })
})

describe('rows that are applied again', () => {
  const options = (numbers: number[]): ApplyOptions => ({
    catalog: 'c',
    organization: 'o',
    createProducts: true,
    updateMetadata: true,
    stamp: { entryId: 'e', actor: 'ada', source: 'import' },
    now: new Date(0),
    marking: { task: 't', fence: 1, kept: 0, numbers },
  })
  const row = (name: string) => ({ id: 'P', patch: { name }, offers: [] })
  const [a, b] = [row('A'), row('B')]
  const applied = (...given: Parameters<typeof applyRows>) => atOnce(applyRows(...given))

  test('change nothing and count as before', () => {
    const first = applied('P', undefined, [a, a, b], options([1, 2, 3]))
    expect(first.outcomes).toEqual(['created', 'unchanged', 'updated'])
    const again = applied('P', first.document, [a, a, b], options([1, 2, 3]))
    expect(again).toEqual({ document: undefined, outcomes: first.outcomes })
  })

  test('keep changes that others made since, and continue after the mark', () => {
    const first = applied('P', undefined, [a], options([1])).document!
    const edited: ProductDocument = { ...first, product: { ...first.product, name: 'Mine' } }
    const again = applied('P', edited, [a], options([1]))
    expect(again).toEqual({ document: undefined, outcomes: ['created'] })
    const further = applied('P', edited, [a, b], options([1, 2]))
    expect(further.outcomes).toEqual(['created', 'updated'])
    expect(further.document?.product.name).toBe('B')
    expect(further.document?.imported).toEqual({
      task: 't',
      fence: 1,
      row: 2,
      created: 1,
      updated: [2],
    })
  })
})
