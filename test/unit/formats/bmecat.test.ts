import { describe, expect, test } from 'vitest'
import { bmecat } from '../../../src/formats/bmecat/format.ts'
import { createCatalogGroups } from '../../../src/formats/bmecat/groups.ts'
import { mediaOf } from '../../../src/formats/bmecat/media.ts'
import { createNumberTable } from '../../../src/formats/bmecat/number-table.ts'
import { createOutline } from '../../../src/formats/bmecat/outline.ts'
import { pricesOf } from '../../../src/formats/bmecat/prices.ts'
import { declaredEncoding, encodingOfXml } from '../../../src/formats/text/declared-encoding.ts'
import { readXml } from '../../../src/formats/text/xml.ts'
import { createTrees, type XmlNode } from '../../../src/formats/text/xml-trees.ts'
import { limits } from '../../../src/limits.ts'
import { openRows } from '../../support/open-rows.ts'

async function nodes(xml: string, ...names: string[]): Promise<XmlNode[]> {
  async function* chunks() {
    yield Buffer.from(`<a>${xml}</a>`)
  }
  const found: XmlNode[] = []
  for await (const some of readXml(chunks(), createTrees(new Set(names)))) found.push(...some)
  return found
}

const price = (amount: string, kind: string, more = '') =>
  `<ARTICLE_PRICE price_type="${kind}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</ARTICLE_PRICE>`

async function prices(inside: string, currency: string | null = 'EUR') {
  const [article] = await nodes(`<ARTICLE>${inside}</ARTICLE>`, 'ARTICLE')
  return pricesOf(article!, { currency, today: '2026-06-15' })
}

describe('the price of a product', () => {
  const details = (inside: string) => `<ARTICLE_PRICE_DETAILS>${inside}</ARTICLE_PRICE_DETAILS>`
  const date = (type: string, text: string) =>
    `<DATETIME type="valid_${type}_date"><DATE>${text}</DATE></DATETIME>`

  test.each<[string, string, string, string]>([
    [
      'is what the customer pays, before the list',
      price('9', 'net_list') + price('8', 'net_customer'),
      '8',
      '',
    ],
    [
      'is that of the smallest number',
      price('7', 'net_list', '<LOWER_BOUND>50</LOWER_BOUND>') +
        price('9', 'net_list', '<LOWER_BOUND>1</LOWER_BOUND>'),
      '9',
      '',
    ],
    ['has a factor', price('10', 'net_list', '<PRICE_FACTOR>0.9</PRICE_FACTOR>'), '9', ''],
    ['and the retail price apart', price('10', 'nrp') + price('6', 'net_list'), '6', '10'],
    ['of no kind that is known is none', price('10', 'secret'), '', ''],
    ['that is no number is none', price('on request', 'net_list'), '', ''],
    ['may have a decimal comma', price('1,234', 'net_list'), '1.234', ''],
    [
      'with a factor has it too',
      price('1,25', 'net_list', '<PRICE_FACTOR>0.5</PRICE_FACTOR>'),
      '0.625',
      '',
    ],
    [
      'may have separators',
      price('1.234,50', 'net_list') + price('1,234.50', 'nrp'),
      '1234.5',
      '1234.5',
    ],
    [
      'on request is that of the next kind',
      price('auf Anfrage', 'net_customer') + price('9', 'net_list'),
      '9',
      '',
    ],
    ['begins on its day', date('start', '2026-06-15') + price('1', 'net_list'), '1', ''],
    ['ends on its day', date('end', '2026-06-15') + price('1', 'net_list'), '1', ''],
    ['is not one of tomorrow', date('start', '2026-06-16') + price('1', 'net_list'), '', ''],
    ['is not one of yesterday', date('end', '2026-06-14') + price('1', 'net_list'), '', ''],
  ])('%s', async (_, inside, cost, msrp) => {
    expect(await prices(details(inside))).toMatchObject({ cost, msrp })
  })

  test.each([
    ['PRICE_AMOUNT: "1O" is not a number', price('1500', 'net_list') + price('1O', 'net_customer')],
    ['PRICE_AMOUNT: "-5" is less than 0', price('-5', 'net_list')],
    [
      'PRICE_FACTOR: "10 %x" is not a number',
      price('5', 'net_list', '<PRICE_FACTOR>10 %x</PRICE_FACTOR>'),
    ],
    [
      'LOWER_BOUND: "from 50" is not a number',
      price('5', 'net_list', '<LOWER_BOUND>from 50</LOWER_BOUND>') + price('7', 'net_list'),
    ],
    [
      'valid_end_date: "31.12.2020" is not a date such as 2026-12-31',
      date('end', '31.12.2020') + price('1', 'net_list'),
    ],
  ])('that cannot be read is none: %s', async (problem, inside) => {
    expect(await prices(details(inside))).toEqual({ cost: '', msrp: '', foreign: [], problem })
  })

  test('for a number of units that cannot be read is none', async () => {
    const order =
      '<ARTICLE_ORDER_DETAILS><PRICE_QUANTITY>per C</PRICE_QUANTITY></ARTICLE_ORDER_DETAILS>'
    expect(await prices(order + details(price('5', 'net_list')))).toMatchObject({
      ...{ cost: '', problem: 'PRICE_QUANTITY: "per C" is not a number' },
    })
  })

  test('rejects its product, unless that is removed', async () => {
    const article = (mode: string, amount: string) =>
      `<ARTICLE mode="${mode}"><SUPPLIER_AID>A1</SUPPLIER_AID>${details(price(amount, 'net_list'))}</ARTICLE>`
    const articles = article('new', 'x1') + article('new', '5') + article('delete', 'x1')
    const { changes, refused } = await openRows(
      bmecat,
      `<BMECAT version="1.2"><T_NEW_CATALOG>${articles}</T_NEW_CATALOG></BMECAT>`,
    )
    expect(refused.map(([, reason]) => reason)).toEqual(['PRICE_AMOUNT: "x1" is not a number'])
    expect(changes).toMatchObject([{ offers: [{ cost: 5 }] }, { action: 'withdraw' }])
  })

  test('in another currency is ignored and reported', async () => {
    const foreign = price('9', 'net_list', '<PRICE_CURRENCY>usd</PRICE_CURRENCY>')
    expect(await prices(details(foreign))).toEqual({ cost: '', msrp: '', foreign: ['USD'] })
    expect(await prices(details(foreign), null)).toMatchObject({ cost: '9', foreign: [] })
  })
})

test('numbers are found by text among many; the first one for each text is kept', () => {
  const table = createNumberTable()
  for (let at = 0; at < 50_000; at++) table.add(`N-${at}`, at % 300)
  table.add('N-7', 1)
  expect(table.size).toBe(50_000)
  for (let at = 0; at < 50_000; at += 11) expect(table.get(`N-${at}`)).toBe(at % 300)
  expect(table.get('N-7')).toBe(7)
  expect(table.get('N-50000')).toBeUndefined()
})

test('circular groups are cut off', async () => {
  const group = (id: string, parent: string) =>
    `<CATALOG_STRUCTURE><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>G${id}</GROUP_NAME><PARENT_ID>${parent}</PARENT_ID></CATALOG_STRUCTURE>`
  const groups = createCatalogGroups()
  for (const node of await nodes(group('1', '2') + group('2', '1'), 'CATALOG_STRUCTURE')) {
    groups.addGroup(node)
  }
  const [map] = await nodes('<M><ART_ID>x</ART_ID><CATALOG_GROUP_ID>1</CATALOG_GROUP_ID></M>', 'M')
  groups.addProduct(map!)
  expect(groups.of('x')).toHaveLength(20)
  expect(groups.of('y')).toEqual([])
})

test('more products in groups than may be kept are refused', async () => {
  const groups = createCatalogGroups(2)
  const map = (id: string) => `<M><ART_ID>${id}</ART_ID><CATALOG_GROUP_ID>1</CATALOG_GROUP_ID></M>`
  for (const node of await nodes(map('a') + map('b') + map('a'), 'M')) groups.addProduct(node)
  const [more] = await nodes(map('c'), 'M')
  expect(() => groups.addProduct(more!)).toThrow('more than 2 products in catalog groups')
})

test('names of groups are kept only up to the length of a field', async () => {
  const long = 'n'.repeat(500_000)
  const [node] = await nodes(
    `<CATALOG_STRUCTURE><GROUP_ID>1</GROUP_ID><GROUP_NAME>${long}</GROUP_NAME><PARENT_ID>0</PARENT_ID></CATALOG_STRUCTURE>`,
    'CATALOG_STRUCTURE',
  )
  const [map] = await nodes('<M><ART_ID>x</ART_ID><CATALOG_GROUP_ID>1</CATALOG_GROUP_ID></M>', 'M')
  const groups = createCatalogGroups()
  groups.addGroup(node!)
  groups.addProduct(map!)
  expect(groups.of('x')).toEqual([`${long.slice(0, limits.nameLength - 1)}…`])
})

test('a base address that is too long is ignored', async () => {
  const outline = createOutline('2026-06-15')
  const root = `https://example.com/${'x'.repeat(100_000)}`
  for (const node of await nodes(
    `<HEADER><CATALOG><MIME_ROOT>${root}</MIME_ROOT></CATALOG></HEADER>`,
    'HEADER',
  )) {
    outline.see(node)
  }
  expect(outline.done().mimeRoot).toBe('')
})

test('pictures are read only up to the number that refuses the product', async () => {
  const picture = (at: number) => `<MIME><MIME_SOURCE>${at}.png</MIME_SOURCE></MIME>`
  const pictures = Array.from({ length: 6_500 }, (_, at) => picture(at)).join('')
  const [product] = await nodes(`<P><MIME_INFO>${pictures}</MIME_INFO></P>`, 'P')
  const { images } = mediaOf(product!, 'https://example.com/pictures')
  expect(images).toHaveLength(limits.productListEntries + 1)
  expect(images[0]).toBe('https://example.com/pictures/0.png')
})

test('a tree with too many attributes is cut', async () => {
  const [tree] = await nodes(`<P>${`<Q a="${'x'.repeat(400_000)}"/>`.repeat(4)}</P>`, 'P')
  expect(tree!.isCut).toBe(true)
  expect(tree!.children).toHaveLength(2)
})

test('a tree with too many empty attributes is cut', async () => {
  const element = `<Q ${Array.from({ length: 250 }, (_, at) => `a${at}=""`).join(' ')}/>`
  const [tree] = await nodes(`<P>${element.repeat(60)}</P>`, 'P')
  expect(tree!.isCut).toBe(true)
  expect(tree!.children.length).toBeLessThan(42)
})

test('a tree with too many long names is cut', async () => {
  const [tree] = await nodes(`<P>${`<${'q'.repeat(900)}/>`.repeat(2_000)}</P>`, 'P')
  expect(tree!.isCut).toBe(true)
  expect(tree!.children.length).toBeLessThan(1_200)
})

test('an element with more attributes than any real one is refused', async () => {
  const element = (count: number) =>
    `<P><n:Q ${Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')}/></P>`
  const [tree] = await nodes(element(256).repeat(2), 'P')
  expect(Object.keys(tree!.children[0]!.attributes)).toHaveLength(256)
  await expect(nodes(element(257), 'P')).rejects.toThrow(
    'Line 1: n:Q has more than 256 attributes.',
  )
})

test.each<[string, (name: string) => string]>([
  ['an element', (name) => `<P><${name}/></P>`],
  ['an attribute', (name) => `<P ${name}=""/>`],
])('the name of %s that is longer than any real one is refused', async (_, xml) => {
  expect(await nodes(xml('n'.repeat(1_000)), 'P')).toHaveLength(1)
  await expect(nodes(xml('n'.repeat(1_001)), 'P')).rejects.toThrow(
    `Line 1: the name ${'n'.repeat(99)}… is longer than 1000 characters.`,
  )
})

test('a tree that is too large is cut and the next one is read', async () => {
  const big = `<P>${'<Q>text</Q>'.repeat(30_000)}</P>`
  const [first, second] = await nodes(`${big}<P><Q>1</Q></P>`, 'P')
  expect(first!.isCut).toBe(true)
  expect(first!.children.length * 50).toBeLessThan(limits.importRowBytes)
  expect(second).toMatchObject({ isCut: false, children: [{ name: 'Q', text: '1' }] })
})

describe('the encoding of an XML file', () => {
  test.each([
    ['<?xml version="1.0" encoding="ISO-8859-15"?><a/>', 'windows-1252', 'iso-8859-15'],
    ["<?xml version='1.0' encoding='iso-8859-1' ?><a/>", 'utf-8', 'windows-1252'],
    ['<?xml version="1.0" encoding="UTF-8"?><a/>', 'windows-1252', 'windows-1252'],
    ['<?xml version="1.0" encoding="UTF-16"?><a/>', 'utf-16be', 'utf-16be'],
    ['<a/>', 'utf-8-damaged', 'utf-8-damaged'],
  ] as const)('%s, from its bytes %s, is %s', (head, encoding, read) => {
    expect(declaredEncoding(encodingOfXml(head), { encoding })).toBe(read)
  })
})
