import { expect, test } from 'vitest'
import { spareColumns } from '../../../src/formats/rows/column-uses.ts'
import { htmlAsText } from '../../../src/formats/rows/html-text.ts'
import { imageOf, mappedRow } from '../../../src/formats/rows/mapped-row.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const read = (header: string, ...cells: string[]) => {
  const headings = header.split(',')
  const { columns } = matchHeader(headings)
  const all = [...columns, ...spareColumns(headings, columns)]
  return mappedRow(cells, { columns: all, decimal: '.', vendor: 'V' })
}
const stock = (heading: string, cell: string) => {
  const { vendorName: _, ...offer } = read(`id,${heading}`, '1', cell).offers[0]!
  return offer
}

test.each([
  ['availability', 'in_stock', { status: 'in_stock', inStock: true }],
  ['availability', 'preorder', { status: 'preorder', inStock: false }],
  ['availability', 'ask us', { status: 'ask us' }],
  ['Verfügbarkeit', 'sofort lieferbar', { status: 'sofort lieferbar', inStock: true }],
  ['in stock', 'backorder', { inStock: false, status: 'backorder' }],
  ['stock', '>100', { onHand: 100 }],
  ['stock', '10+', { onHand: 10 }],
  ['Bestand', 'ca. 200', { onHand: 200 }],
  ['Lagerbestand', '5 Stk', { onHand: 5 }],
  ['stock', 'ausverkauft', { onHand: 0, inStock: false }],
  ['stock', 'épuisé', { onHand: 0, inStock: false }],
  ['voorraad', 'op voorraad', { onHand: null, inStock: true }],
  ['stock', 'n/a', {}],
  ['stock', '3 in stock', { onHand: 3 }],
  ['Bestand', 'nur noch 3 Stück', { onHand: 3 }],
  ['Verfügbar', 'WAHR', { inStock: true }],
  ['stock', '-3', { onHand: 0 }],
  ['Bestand', '100+ Stk', { onHand: 100 }],
  ['stock', 'plus de 20', { onHand: 20 }],
  ['existencias', 'aprox. 30 unidades', { onHand: 30 }],
  ['giacenza', 'più di 20', { onHand: 20 }],
  ['voorraad', 'meer dan 20 stuks', { onHand: 20 }],
  ['voorraad', 'in voorraad', { onHand: null, inStock: true }],
  ['stock', 'non disponible', { onHand: 0, inStock: false }],
  ['giacenza', 'in arrivo', { onHand: 0, inStock: false, status: 'in arrivo' }],
  ['Bestand', 'unter 5', { onHand: null, inStock: true }],
  ['stock', '<5', { onHand: null, inStock: true }],
  ['stock', '<1', { onHand: 0, inStock: false }],
  ['availability', '10+', { status: '10+', inStock: true }],
  ['availability', '0 pcs', { status: '0 pcs', inStock: false }],
  ['availability', '3', { status: '3' }],
  [
    'availability',
    'https://schema.org/InStock',
    { status: 'https://schema.org/InStock', inStock: true },
  ],
  ['price', '€ 1.299,00', { cost: 1299 }],
  ['prix', '1 299,00 EUR', { cost: 1299 }],
  ['Verkaufspreis brutto', '12,-', { cost: 12 }],
  ['price', '-', {}],
  ['Preis', 'Preis auf Anfrage', {}],
  ['precio', 'A consultar', {}],
])('%s %j is understood', (heading, cell, offer) => {
  expect(stock(heading, cell)).toEqual(offer)
})

test.each([
  ['5 V', 'vendor.onHand: "5 V" is not a number'],
  ['maybe', 'vendor.onHand: "maybe" is not a number'],
])('text that is not about stock is refused: %s', (cell, reason) => {
  expect(() => stock('stock', cell)).toThrow(reason)
})

test('reads pictures, category levels, colors and percentages', () => {
  const row = read(
    'id,image_link,product_type,Farbe,filter:VAT',
    ...['1', 'https://a.example/1.jpg, https://a.example/2.jpg', 'Home > Garden > Tools > Saws'],
    ...['Rot', '19 %'],
  )
  expect(row).toMatchObject({
    patch: {
      image: 'https://a.example/1.jpg',
      images: [{ url: 'https://a.example/2.jpg' }],
      segment: 'Home',
      category: 'Garden',
      subCategory: 'Saws',
    },
    facets: { Farbe: 'Rot' },
    filters: { VAT: 19 },
  })
  expect(read('id,category,segment', '1', 'A > B', 'S').patch).toEqual({
    category: 'A > B',
    segment: 'S',
  })
  // A file with a column for each level, such as an export, has no paths.
  for (const category of ['Pipes > 1/2 inch', 'Saws, Jig > Fine, Saws > X']) {
    expect(read('id,segment,category,subCategory', '1', '', category, '').patch).toEqual({
      category,
    })
  }
  expect(read('id,Handle,Size', '1', 'tee', 'M')).toMatchObject({
    patch: { groupId: 'tee' },
    options: { Size: 'M' },
  })
})

test.each([
  ['A > B', { segment: 'A', category: 'B', subCategory: null }],
  ['A > B > C, A > D, Sale', { segment: 'A', category: 'B', subCategory: 'C' }],
  ['Sale | A > B', { category: 'Sale' }],
  ['Food, Drinks & More > Tea', { segment: 'Food, Drinks & More', category: 'Tea' }],
  ['x'.repeat(300), { category: `${'x'.repeat(199)}…` }],
])('the first category fills the levels it has, and no others: %s', (cell, patch) => {
  expect(read('id,categories', '1', cell).patch).toMatchObject(patch)
})

test('pictures in numbered columns are all used, the first as the main one', () => {
  const cells = [
    '1',
    'https://a.example/2.jpg',
    'https://a.example/1.jpg',
    'https://a.example/3.jpg',
  ]
  expect(read('id,Image 2,Image 1,Bild-URL 3', ...cells).patch).toEqual({
    image: 'https://a.example/1.jpg',
    images: [2, 3].map((n) => imageOf(`https://a.example/${n}.jpg`)),
  })
  const beside = read('id,picture,Image URL 1', '1', ...cells.slice(1, 3))
  expect(beside.patch).toMatchObject({ image: cells[1], images: [{ url: cells[2] }] })
  expect(read('sku,Our price,Retail price', '1', '39.99', '49.99')).toMatchObject({
    patch: { msrp: 49.99 },
    offers: [{ cost: 39.99 }],
  })
})

test.each([
  ['https://a.example/1;w=5|x.jpg', 'https://a.example/1;w=5|x.jpg', undefined],
  [
    'https://a.example/1,2.jpg; https://a.example/3.jpg',
    'https://a.example/1,2.jpg',
    [{ url: 'https://a.example/3.jpg' }],
  ],
])('a picture keeps the characters of its address: %s', (cell, image, images) => {
  const { patch } = read('id,image', '1', cell)
  expect(patch.image).toBe(image)
  if (images) expect(patch.images).toMatchObject(images)
  else expect(patch).not.toHaveProperty('images')
})

test.each([
  [
    '<p>Soft &amp; warm.<br/>100&nbsp;% <b>wool</b></p><ul><li>a</li><li>b</li></ul>',
    'Soft & warm.\n100 % wool\na\nb',
  ],
  ['a < b & c > d', 'a < b & c > d'],
  ['<style>p{}</style><p>x &#228; &#xe4; &#0; &bogus;', 'x ä ä &#0; &bogus;'],
  ['<p>a</p><SCRIPT>if (a < b) x()</SCRIPT>b<!-- <b>c</b> -->', 'a\nb'],
  ['<p>Load <max. 40 kg, width < 3 m</p>', 'Load <max. 40 kg, width < 3 m'],
  ['<p>Load <max. 40> kg<o:p></o:p></p>', 'Load <max. 40> kg'],
  ['<p', '<p'],
])('an HTML description is converted to text: %s', (html, text) => {
  expect(htmlAsText(html)).toBe(text)
})
