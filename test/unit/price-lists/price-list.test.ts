import { describe, expect, test } from 'vitest'
import {
  findList,
  listsFor,
  NO_LISTS,
  type PriceListsDocument,
  withDeleted,
  withList,
  withoutList,
} from '../../../src/catalogs/price-lists/price-list.ts'
import { limits } from '../../../src/limits.ts'

const NOW = '2026-06-01T00:00:00.000Z'
const body = { currency: 'EUR', description: null, organizations: null }
const added = (document: PriceListsDocument, name: string, more: object = {}) =>
  withList(document, { id: `id-${name}`, name, now: NOW }, { ...body, ...more })

describe('The price lists of a catalog', () => {
  test('have a slot of their own, which is free once their prices are deleted', () => {
    const three = ['a', 'b', 'c'].reduce((document, name) => added(document, name), NO_LISTS)
    expect(three.lists.map(({ slot }) => slot)).toEqual(['s0', 's1', 's2'])
    const deleted = withDeleted(three, 'b', NOW)
    expect(deleted.deleted).toBe(NOW)
    const again = withList(deleted, { id: 'new', name: 'b', now: NOW }, body)
    expect(findList(again.lists, 'b')).toMatchObject({ id: 'new', slot: 's3' })
    const removed = withoutList(again, 'id-b')
    expect(removed.deleted).toBeNull()
    expect(findList(added(removed, 'd').lists, 'd')?.slot).toBe('s1')
  })

  test('keep their slot when their properties change', () => {
    const [list] = added(added(NO_LISTS, 'a'), 'a', { currency: 'CHF' }).lists
    expect(list).toMatchObject({ id: 'id-a', slot: 's0', currency: 'CHF' })
  })

  test('are limited in number, including those being deleted', () => {
    const names = Array.from({ length: limits.priceLists }, (_, at) => `l${at}`)
    const full = names.reduce((document, name) => added(document, name), NO_LISTS)
    expect(new Set(full.lists.map(({ slot }) => slot)).size).toBe(limits.priceLists)
    expect(() => added(full, 'more')).toThrow('Delete one first')
    expect(() => added(withDeleted(full, 'l5', NOW), 'more')).toThrow('Try again shortly')
    expect(added(full, 'l5', { currency: 'USD' }).lists).toHaveLength(limits.priceLists)
  })

  test('are available to the organizations that they name, and to the owner', () => {
    const document = added(added(NO_LISTS, 'all'), 'one', { organizations: ['child'] })
    const namesFor = (id: string | null) => listsFor(document, id).map(({ name }) => name)
    expect(namesFor('child')).toEqual(['all', 'one'])
    expect(namesFor('other')).toEqual(['all'])
    expect(namesFor(null)).toEqual(['all', 'one'])
    expect(listsFor(withDeleted(document, 'all', NOW), null)).toHaveLength(1)
  })
})
