import { describe, expect, test } from 'vitest'
import { applyPatch, changedFields } from '../../../src/products/patch.ts'
import { restorePatch } from '../../../src/products/restore-patch.ts'
import { offer, product } from './make.ts'

const before = product({
  name: 'A',
  upcs: ['1'],
  attributes: { color: 'red', size: 'L' },
  filters: { weight: 1 },
  vendors: [offer('acme', { cost: 1 }), offer('zeta', { cost: 2 })],
})
const after = product({
  name: null,
  upcs: ['1', '2'],
  attributes: { color: 'blue', weight: '1 kg' },
  filters: {},
  vendors: [offer('acme', { cost: 3 }), offer('new', { cost: 4 })],
})
const changes = changedFields(before, after)

describe('takenBack', () => {
  test('restores the previous values if nothing else changed', () => {
    expect(applyPatch(after, restorePatch(after, changes))).toEqual(before)
  })

  test('keeps fields that the changes do not list', () => {
    const now = product({
      name: 'C',
      description: 'later',
      upcs: ['3'],
      attributes: { color: 'green', length: '2 m' },
      filters: { height: 2 },
      vendors: [offer('later', { cost: 9 }), offer('acme', { cost: 8 }), offer('new')],
    })
    expect(applyPatch(now, restorePatch(now, changes))).toEqual({
      ...now,
      name: 'A',
      upcs: ['1'],
      attributes: { color: 'red', size: 'L', length: '2 m' },
      filters: { height: 2, weight: 1 },
      vendors: [
        offer('later', { cost: 9 }),
        offer('acme', { cost: 1 }),
        offer('zeta', { cost: 2 }),
      ],
    })
  })

  test('refuses more entries than a product can have', () => {
    const names = Array.from({ length: 999 }, (_, n) => [`n${n}`, 'x'])
    const now = product({ attributes: Object.fromEntries(names) })
    expect(() => restorePatch(now, changes)).toThrow(
      'The restored product would have 1001 attributes. The limit is 1000.',
    )
  })
})
