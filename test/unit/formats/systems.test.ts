import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csv } from '../../../src/formats/csv/format.ts'
import { google } from '../../../src/formats/google/format.ts'
import { systemOf } from '../../../src/formats/systems/systems.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { openRows } from '../../support/open-rows.ts'

test('a file is recognized as a system’s only with all headings of its signature', () => {
  const woo = ['Type', 'SKU', 'Name', 'Regular price', 'Published']
  expect(systemOf(woo)?.name).toBe('WooCommerce')
  expect(systemOf(woo.map((name) => ` ${name.toUpperCase()}`))?.name).toBe('WooCommerce')
  expect(systemOf(woo.slice(0, 4))).toBeUndefined()
  expect(systemOf(['Product number', 'Price gross', 'Name'])).toBeUndefined()
})

test('a row that lists too many variants is refused on its line', async () => {
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

test.each([
  [
    'Magento',
    'sku,attribute_set_code,product_type,name,categories',
    'A,Top,simple,Tee',
    'r/a/b',
    '/b',
    ',r/a',
  ],
  [
    'WooCommerce',
    'Type,SKU,Name,Regular price,Published,Categories',
    'simple,A,Tee,5,1',
    'a>b',
    '>b',
    ',a',
  ],
])('a %s row with many categories beside a deep one is read in linear time', async (...parts) => {
  const [, headings, cells, first, level, other] = parts
  const rows = `${headings}\n${cells},"${first}${level.repeat(30_000)}${other.repeat(30_000)}"`
  // It took half a minute when the longest path was split for each of the others.
  await expectStepsBelow(2_000, () => openRows(csv, rows))
})

test('a variant without a main row before it has only its own values, with a warning', async () => {
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
    'Rows of variants whose main row is missing before them, or too far above: 1. They have only their own values.',
  ])
})

test.each([
  ['Clothing > Hoodies, Sale', ['Clothing', 'Hoodies', null]],
  ['Clothing, Clothing > Hats', ['Clothing', 'Hats', null]],
  ['Sale, Clothing > Hats > Caps, Music > Albums > Jazz', ['Clothing', 'Hats', 'Caps']],
  ['Tools\\, hand > Saws\\, fine, Sale', ['Tools, hand', 'Saws, fine', null]],
  ['Hats\\, caps, Sale', [undefined, 'Hats, caps', undefined]],
])('WooCommerce: the deepest of the categories %o is used', async (categories, levels) => {
  const rows = `Type,SKU,Name,Regular price,Published,Categories\nsimple,A,Tee,5,1,"${categories}"`
  const { changes } = await openRows(csv, rows)
  const { segment, category, subCategory } = changes[0]!.patch
  expect([segment, category, subCategory]).toEqual(levels)
})

test('a German price list is read with its sale prices', async () => {
  const { changes } = await openRows(
    csv,
    'Artikelnummer;Normalpreis;Angebotspreis\nA1;15,00;12,00\n',
  )
  expect(changes).toMatchObject([{ id: 'A1', patch: { msrp: 15 }, offers: [{ cost: 12 }] }])
})

test('a list with headings that many systems use is not assigned to one', async () => {
  expect(
    [
      'product_number,name,brand,supplier,price_gross,ean',
      'Item,ID,Name,SKU,Options,Price',
      'Type,SKU,Name,Regular price,Short description',
    ].map((headings) => systemOf(headings.split(','))?.name),
  ).toEqual([undefined, undefined, undefined])
  expect(systemOf(['product_number', 'price_net', 'cover_media_url'])?.name).toBe('Shopware')
})

test('columns added by a shop name the vendor and the manufacturer', async () => {
  const { file, changes } = await openRows(
    csv,
    'product_number,tax_id,price_gross,Supplier,Brand\nA1,7,15,Nordwerk,Tallow',
  )
  expect(file.system).toBe('Shopware')
  expect(changes).toMatchObject([
    { patch: { manufacturer: 'Tallow' }, offers: [{ vendorName: 'Nordwerk', cost: 15 }] },
  ])
})

test.each([
  ...['woocommerce.csv', 'magento.csv', 'bigcommerce.csv', 'bigcommerce-legacy.csv'],
  ...['prestashop.csv', 'prestashop-combinations.csv', 'akeneo.csv', 'google.xml', 'shopware.csv'],
])('no product of %s contains a purchase price', async (name) => {
  const content = readFileSync(new URL(`../../support/shops/${name}`, import.meta.url), 'utf8')
  const { file, changes } = await openRows(name.endsWith('xml') ? google : csv, content)
  const PURCHASE = /cost|purchase|wholesale|supplier/i
  for (const { heading, field } of file.columns!.uses) {
    if (PURCHASE.test(heading)) expect([heading, field]).toEqual([heading, null])
  }
  expect(changes.length).toBeGreaterThan(0)
  for (const { attributes = {}, offers } of changes) {
    expect(Object.keys(attributes).filter((one) => PURCHASE.test(one))).toEqual([])
    for (const { cost = 9 } of offers) expect(cost).toBeGreaterThan(5)
  }
})

test('a variation that names no product inherits nothing', async () => {
  const rows = [
    'Type,SKU,Name,Regular price,Published,Parent,Brands',
    'variable,,Tee,,1,,Tallow',
    'variation,T1,Tee - S,5,1,,',
    'variation,T2,Tee - M,5,1,id:undefined,',
  ]
  const { changes } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ patch }) => patch.manufacturer)).toEqual([undefined, undefined, 'Tallow'])
})

test('headings and values named like properties of every object work', async () => {
  const akeneo =
    'sku,categories,enabled,family,groups,constructor-en_US,toString,weight,weight-unit'
  const { changes } = await openRows(csv, `${akeneo}\nA,,1,,,x,y,2,valueOf\nB,,1,,,,,,`)
  expect(
    changes.map(({ id, attributes }) => [id, Object.entries(attributes ?? {}).sort()]),
  ).toEqual([
    [
      'A',
      [
        ...Object.entries({
          'constructor-en_US': 'x',
          enabled: '1',
          toString: 'y',
          weight: '2 valueOf',
        }),
      ],
    ],
    ['B', [['enabled', '1']]],
  ])
  const shopware = 'id,parent_id,product_number,active,constructor'
  const variants = await openRows(csv, `${shopware}\na,,A,1,x\nb,a,B,1,`)
  expect(variants.changes[0]?.attributes).toEqual({ active: '1', constructor: 'x' })
  const list = await openRows(csv, 'SKU,constructor\nA,x\nB,')
  expect(list.changes.map(({ attributes }) => Object.keys(attributes ?? {}))).toEqual([
    ['constructor'],
    [],
  ])
})

test('a discount is parsed like the prices of its file', async () => {
  const rows = [
    'Product ID;Active (0/1);Name *;Categories (x,y,z...);Reference #;Price tax included;Discount amount;Discount percent',
    '1;1;Desk;;A;1.299,00;;10',
    '2;1;Chair;;B;1.299,00;299,00;',
    '3;1;Lamp;;C;99,00;much;',
  ]
  const { changes, refused } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ patch, offers }) => [patch.msrp, offers[0]?.cost])).toEqual([
    [1299, 1169.1],
    [1299, 1000],
  ])
  expect(refused).toEqual([[4, 'vendor.salePrice: "much" is not a number']])
})

test('a family of thousands keeps the values of its first row to the end', async () => {
  const variants = Array.from({ length: 5_002 }, (_, n) => `a,,,S${n},5`)
  const { changes } = await openRows(
    csv,
    ['Handle,Title,Option1 Name,Option1 Value,Variant Price', 'a,Tee,Size,S,5', ...variants].join(
      '\n',
    ),
  )
  expect(changes).toHaveLength(5_003)
  expect(changes.at(-1)).toMatchObject({
    ...{ id: 'a-S5001', patch: { name: 'Tee', groupId: 'a' }, options: { Size: 'S5001' } },
  })
})

const SHOPWARE = 'id,parent_id,product_number,active,name,description'

test('a product precedes its variants, however many rows are in between', async () => {
  const long = 'long '.repeat(1_000)
  const others = Array.from({ length: 2_000 }, (_, n) => `o${n},,O${n},1,Other,${long}`)
  const rows = [SHOPWARE, 'a,,A,1,Tee,', ...others, 'b,a,A.1,1,,']
  const { changes, warnings } = await openRows(csv, rows.join('\n'))
  expect(changes.filter(({ id }) => id?.startsWith('A'))).toMatchObject([
    { id: 'A.1', patch: { name: 'Tee', groupId: 'a' } },
  ])
  expect(warnings).toEqual([])
})

test('a product too far above its variants is imported without passing on its values', async () => {
  const others = Array.from({ length: 20_000 }, (_, n) => `o${n},,O${n},1,Other,`)
  const rows = [SHOPWARE, 'a,,A,1,Tee,<p>Soft</p>', ...others, 'b,a,A.1,1,,', 'c,a,A.2,1,,']
  const { changes, warnings } = await openRows(csv, rows.join('\n'))
  const tees = changes.filter(({ id }) => id?.startsWith('A'))
  expect(tees.map(({ id, patch }) => [id, patch.name, patch.description])).toEqual(
    ['A', 'A.1', 'A.2'].map((id) => [id, 'Tee', 'Soft']),
  )
  expect(warnings).toEqual([
    'Main rows that became products themselves because their variants are too far below: 1.',
  ])
})

test('a row of Magento with a cell of 200,000 attributes is read fast', async () => {
  const heads = 'sku,attribute_set_code,product_type,name,additional_attributes'
  const row = (cell: string) => openRows(csv, `${heads}\nM1,Default,simple,Table,"${cell}"`)
  await row('a=b')
  const started = process.threadCpuUsage()
  const { changes } = await row(Array(200_000).fill('a=b').join(','))
  const { user, system } = process.threadCpuUsage(started)
  expect(changes[0]?.attributes).toEqual({ a: 'b' })
  expect((user + system) / 1_000).toBeLessThan(800)
})

test('variants of Magento that are listed without a row of their own are reported', async () => {
  const rows = [
    'sku,attribute_set_code,product_type,name,configurable_variations',
    'A1,Top,simple,Tee S,',
    'A,Top,configurable,Tee,"sku=A1,size=S|sku=A2,size=M|sku=A3,size=L"',
    'A3,Top,simple,Tee L,',
  ]
  const { changes, warnings } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ id }) => id)).toEqual(['A1', 'A1', 'A2', 'A3', 'A3'])
  expect(warnings).toEqual([
    'Variants that are listed but have no row of their own among the rows read: 1. New ones only have an id, a group and options.',
  ])
})

test('a file with Shopify’s current headings is read like one with the former ones', async () => {
  const rows = [
    'Title,URL handle,Description,Vendor,Product category,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Cost per item,Charge tax,Inventory tracker,Inventory quantity,Weight value (grams),Product image URL,Image position,Variant image URL',
    "Tote,tote,<p>Light</p>,Northbag,Bags > Totes,new,TRUE,Draft,T-1,'4006381333931,Color,Natural,24.00,30.00,9.00,TRUE,shopify,12,350,https://a.example/1.jpg,1,",
    ',tote,,,,,,,T-2,,,Black,26.00,,,,,,,https://a.example/2.jpg,2,https://a.example/b.jpg',
    ',tote,,,,,,,,,,,,,,,,,,https://a.example/3.jpg,3,',
  ]
  const { file, changes, warnings } = await openRows(csv, rows.join('\n'))
  expect(file.notes).toContain('Read as a products file of Shopify.')
  const images = [2, 3].map((n) => ({ url: `https://a.example/${n}.jpg` }))
  expect(changes).toMatchObject([
    {
      ...{ id: 'T-1', options: { Color: 'Natural' }, attributes: { Weight: '350 g', Tags: 'new' } },
      patch: {
        ...{ name: 'Tote', description: 'Light', manufacturer: 'Northbag', groupId: 'tote' },
        ...{ segment: 'Bags', category: 'Totes', msrp: 30, upcs: ['4006381333931'] },
        ...{ image: 'https://a.example/1.jpg', images },
      },
      offers: [{ cost: 24, onHand: 12 }],
    },
    {
      ...{ id: 'T-2', options: { Color: 'Black' } },
      patch: { name: 'Tote', groupId: 'tote', image: 'https://a.example/b.jpg' },
      // Stock is not tracked for it.
      offers: [{ cost: 26, inStock: true }],
    },
  ])
  expect(changes[1]!.attributes).not.toHaveProperty('Charge tax')
  expect(warnings).toEqual([expect.stringContaining('drafts, archived or unpublished')])
})

test('rows whose product was named by an earlier row are reported', async () => {
  const rows = [
    'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty',
    'tee,Tee,Size,S,TEE,5,0',
    'tee,,,M,TEE,6,',
    'cap,Cap,,,TEE,7,',
  ]
  const { changes, warnings } = await openRows(csv, rows.join('\n'))
  expect(changes.map(({ id }) => id)).toEqual(['TEE', 'TEE', 'TEE'])
  expect(warnings).toEqual([
    'Rows with the same id or SKU as an earlier row: 2. The last row counts. Give each variant its own SKU.',
  ])
  // Without a column that says whether stock is tracked, a count of 0 is meant.
  expect(changes[0]!.offers).toMatchObject([{ onHand: 0 }])
})

test('texts are restored to what they were before WooCommerce and BigCommerce escaped them', async () => {
  const woo = [
    'Type,SKU,Name,Regular price,Published,Short description,Description',
    String.raw`simple,A,Mug,5,1,<p>Short &amp; sweet</p>,One\nTwo C:\\new`,
  ]
  const mug = (await openRows(csv, woo.join('\n'))).changes[0]!
  expect(mug.patch.description).toBe(String.raw`One#Two C:\new`.replace('#', '\n'))
  expect(mug.attributes).toEqual({ Published: '1', 'Short description': 'Short & sweet' })
  const bigcommerce = [
    'Item,ID,Name,SKU,Options,Inventory Tracking,Current Stock,Price,Image URL',
    'Product,1,Shoe,S,,none,0,5,',
    'Variant,2,,S-R,Type=Rectangle|Name=Size|Value=42Type=Swatch|Name=Color|Value=Red[#ff0000],,0,5,',
    'Image,3,,,,,,,https://shop.example/shoe.jpg',
  ]
  const shoe = (await openRows(csv, bigcommerce.join('\n'))).changes[0]!
  expect(shoe).toMatchObject({ id: 'S-R', options: { Size: '42', Color: 'Red' } })
  expect(shoe.offers).toMatchObject([{ inStock: true }])
  expect(shoe.patch.image).toBe('https://shop.example/shoe.jpg')
})

test('further pictures in a cell are kept, even if another column has some', async () => {
  const { changes } = await openRows(
    csv,
    'sku;image;images\nA;https://a.example/1.jpg, https://a.example/2.jpg;https://a.example/3.jpg',
  )
  expect(changes[0]!.patch).toMatchObject({
    image: 'https://a.example/1.jpg',
    images: [{ url: 'https://a.example/2.jpg' }, { url: 'https://a.example/3.jpg' }],
  })
})

describe('Akeneo: a price in another currency', () => {
  const priced = async (prices: string, ...rows: readonly string[]) => {
    const head = `sku;categories;enabled;family;groups;${prices}`
    const lines = rows.map((row, at) => `P${at};c1;1;f;;${row}`)
    const { changes } = await openRows(csv, [head, ...lines].join('\n'))
    return changes.map(({ patch, offers: [offer], attributes }) => {
      const { enabled: _, family: _f, ...others } = attributes ?? {}
      return [offer?.cost, patch.msrp, others]
    })
  }

  test('does not fill in for a missing one', async () => {
    expect(await priced('price-EUR;price-GBP', ';9.50', '11.00;9.60')).toEqual([
      [undefined, undefined, { 'price-GBP': '9.50' }],
      [11, undefined, { 'price-GBP': '9.60' }],
    ])
    expect(await priced('price-shop-EUR;price-print-EUR', ';9.50', '11.00;9.60')).toEqual([
      [undefined, undefined, { 'price-print-EUR': '9.50' }],
      [11, undefined, { 'price-print-EUR': '9.60' }],
    ])
  })

  test('is none of the other prices of a product', async () => {
    const headings = 'msrp-USD;special_price-USD;price-EUR;special_price-EUR;price-USD'
    expect(await priced(headings, '20;8;15;12;17', '20;8;15;;17')).toEqual([
      [12, 15, { 'msrp-USD': '20', 'special_price-USD': '8', 'price-USD': '17' }],
      [15, null, { 'msrp-USD': '20', 'special_price-USD': '8', 'price-USD': '17' }],
    ])
  })

  test('is the price if no product has one in the first', async () => {
    expect(await priced('price-EUR;price-USD;msrp-EUR', ';9.50;', ';11.00;12')).toEqual([
      [9.5, undefined, {}],
      [11, undefined, { 'msrp-EUR': '12' }],
    ])
  })
})

test('PrestaShop: a price without tax does not fill in for one with tax', async () => {
  const rows = [
    'Reference #;Active (0/1);Name *;Categories (x,y,z...);Price tax included;Price tax excluded;Discount percent',
    'A;1;A;Home;;10;50',
    'B;1;B;Home;12;10;50',
  ]
  const { file, changes } = await openRows(csv, rows.join('\n'))
  expect(file.system).toBe('PrestaShop')
  expect(changes.map(({ offers }) => offers[0]?.cost)).toEqual([undefined, 6])
})
