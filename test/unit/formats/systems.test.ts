import { expect, test } from 'vitest'
import { csv } from '../../../src/formats/csv/format.ts'
import { systemOf } from '../../../src/formats/systems/systems.ts'
import { openRows } from '../../support/open-rows.ts'

test('a file is of a system only with all headings of its signature', () => {
  const woo = ['Type', 'SKU', 'Name', 'Regular price', 'Published']
  expect(systemOf(woo)?.name).toBe('WooCommerce')
  expect(systemOf(woo.map((name) => ` ${name.toUpperCase()}`))?.name).toBe('WooCommerce')
  expect(systemOf(woo.slice(0, 4))).toBeUndefined()
  expect(systemOf(['Product number', 'Price gross', 'Name'])).toBeUndefined()
})

test('a row that lists more variants than are put together is refused on its line', async () => {
  const list = Array.from({ length: 5_001 }, (_, n) => `sku=A${n},size=S${n}`).join('|')
  const rows = [
    'sku,attribute_set_code,product_type,name,configurable_variations',
    `A,Top,configurable,Tee,"${list}"`,
    'B,Top,configurable,Cap,"sku=B1,size=S|broken|sku=B2,size=M"',
  ]
  const { changes, refused } = await openRows(csv, rows.join('\n'))
  expect(refused).toEqual([[2, 'lists more than 5000 variants']])
  expect(changes.map(({ id, options }) => [id, options?.size])).toEqual([
    ['B1', 'S'],
    ['B2', 'M'],
  ])
})

test('a variant without its head before it has what it says, and a warning counts it', async () => {
  const rows = [
    'Type,SKU,Name,Regular price,Published,Parent,Attribute 1 name,Attribute 1 value(s)',
    'variation,T1,Tee - S,5,1,TEE,Size,S',
    'variable,TEE,Tee,,1,,Size,"S, M"',
    'variation,T2,Tee - M,6,1,TEE,Size,M',
  ]
  const { changes, warnings } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ id, patch, options }) => [id, patch.groupId, options?.Size])).toEqual([
    ['T1', 'TEE', 'S'],
    ['T2', 'TEE', 'M'],
  ])
  expect(warnings).toEqual([
    'Rows of variants whose main row does not stand before them: 1. They have only what they say themselves.',
  ])
})

test('a price list in German has its sale prices', async () => {
  const { changes } = await openRows(
    csv,
    'Artikelnummer;Normalpreis;Angebotspreis\nA1;15,00;12,00\n',
  )
  expect(changes).toMatchObject([{ id: 'A1', patch: { msrp: 15 }, offers: [{ cost: 12 }] }])
})
