import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Family, Organization } from '../../../src/organizations/organization.ts'
import { decimal, orderMessage } from '../../../src/punchout/order.ts'
import { callbackOf, currencyOf } from '../../../src/punchout/return-address.ts'
import { keyOf } from '../../../src/punchout/session.ts'
import { escaped } from '../../../src/punchout/xml.ts'

const organization = (values: Record<string, string>): Organization =>
  ({
    configurations: Object.entries(values).map(([name, defaultValue]) => ({ name, defaultValue })),
  }) as unknown as Organization

const familyOf = (own: Record<string, string>, parent: Record<string, string> = {}): Family => ({
  organization: organization(own),
  parent: organization(parent),
})

describe('a callback address', () => {
  const hosts =
    'buyer.example, erp.example:8443,bücher.example,localhost:9, evil.example/x,*.example'
  const family = familyOf({ punchoutCallbackHosts: hosts })

  const good = [
    ['https://buyer.example/cart?id=1#x', 'https://buyer.example/cart?id=1#x'],
    ['https://BUYER.example:443/', 'https://buyer.example/'],
    ['https://erp.example:8443', 'https://erp.example:8443/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['http://localhost:9/return', 'http://localhost:9/return'],
  ] as const
  test.each(good)('%s is allowed', (text, expected) => {
    expect(callbackOf(text, family)).toBe(expected)
  })

  const bad = [
    'https://evil.example/',
    'https://sub.buyer.example/',
    'https://buyer.example:8443/',
    'https://erp.example/',
    'https://buyer.example.evil.example/',
    'https://buyer.example@evil.test/',
    'https://evil.test\\@buyer.example/',
    'https://user@buyer.example/',
    'http://buyer.example/',
    'javascript://buyer.example/%0aalert(1)',
    'ftp://buyer.example/',
    '//buyer.example/',
    'buyer.example',
    'https://a.example/',
    '',
  ]
  test.each(bad)('%s is refused', (text) => {
    expect(() => callbackOf(text, family)).toThrow(/^callbackUrl: /)
  })

  test('is refused without the configuration, and a parent’s applies', () => {
    const text = 'https://buyer.example/'
    expect(() => callbackOf(text, { organization: organization({}), parent: null })).toThrow()
    const parent = { punchoutCallbackHosts: 'buyer.example' }
    expect(callbackOf(text, familyOf({}, parent))).toBe(text)
    const own = { punchoutCallbackHosts: 'other.example' }
    expect(() => callbackOf(text, familyOf(own, parent))).toThrow()
  })
})

/** Whether XML 1.0 allows the character. */
const isHoldable = (sign: string): boolean => {
  const code = sign.codePointAt(0)!
  if (code < 0x20) return [0x9, 0xa, 0xd].includes(code)
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000
}

test('the currency is that of the organization, by default USD', () => {
  expect(currencyOf(familyOf({ punchoutCurrency: 'eur' }))).toBe('EUR')
  expect(currencyOf(familyOf({ punchoutCurrency: '€"/>' }))).toBe('USD')
  expect(currencyOf(undefined)).toBe('USD')
})

test('a session’s key is derived from token and salt, and not from either alone', () => {
  const key = keyOf('token', { salt: 'salt' })
  expect(key).toMatch(/^aisle_search_[0-9a-f]{48}_[0-9a-f]{8}$/)
  expect(keyOf('token', { salt: 'salt' })).toBe(key)
  expect(keyOf('token', { salt: 'other' })).not.toBe(key)
  expect(keyOf('other', { salt: 'salt' })).not.toBe(key)
})

describe('an order in cXML', () => {
  const item = {
    catalog: 'tools',
    productId: 'D-100',
    supplierPartId: 'OV-77',
    vendor: 'Oakvale Supply',
    manufacturer: 'Black & "Decker"',
    manufacturerPartNumber: '<DS>',
    name: "A 'drill'\u0001\ud800 ✓",
    unspsc: '27112700',
    quantity: 2.5,
    price: 0.1,
  }
  const order = {
    payloadId: 'p@shop.example',
    time: '2026-01-15T09:30:00.000Z',
    supplier: 'acme',
    buyer: 'ada',
    buyerCookie: 'c<1>',
    currency: 'EUR',
    items: [item, { ...item, manufacturer: null, manufacturerPartNumber: null, unspsc: null }],
  }

  test('has this format', () => {
    const credential = (identity: string) =>
      `<Credential domain="NetworkId"><Identity>${identity}</Identity></Credential>`
    const line = (number: number, unspsc: string, made: string) =>
      `<ItemIn quantity="2.5" lineNumber="${number}">` +
      '<ItemID><SupplierPartID>OV-77</SupplierPartID>' +
      '<SupplierPartAuxiliaryID>tools/D-100</SupplierPartAuxiliaryID></ItemID>' +
      '<ItemDetail><UnitPrice><Money currency="EUR">0.10</Money></UnitPrice>' +
      '<Description xml:lang="en">A &apos;drill&apos; ✓</Description>' +
      `<UnitOfMeasure>EA</UnitOfMeasure><Classification domain="UNSPSC">${unspsc}</Classification>` +
      `${made}</ItemDetail></ItemIn>`
    const maker =
      '<ManufacturerPartID>&lt;DS&gt;</ManufacturerPartID>' +
      '<ManufacturerName>Black &amp; &quot;Decker&quot;</ManufacturerName>'
    expect(orderMessage(order)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.014/cXML.dtd">\n' +
        '<cXML payloadID="p@shop.example" timestamp="2026-01-15T09:30:00.000Z" xml:lang="en">' +
        `<Header><From>${credential('acme')}</From><To>${credential('ada')}</To>` +
        `<Sender>${credential('acme')}<UserAgent>Aisle</UserAgent></Sender></Header>` +
        '<Message><PunchOutOrderMessage><BuyerCookie>c&lt;1&gt;</BuyerCookie>' +
        '<PunchOutOrderMessageHeader operationAllowed="create">' +
        '<Total><Money currency="EUR">0.50</Money></Total></PunchOutOrderMessageHeader>' +
        `${line(1, '27112700', maker)}${line(2, '', '')}` +
        '</PunchOutOrderMessage></Message></cXML>\n',
    )
  })

  test('can contain any text: nothing ends an element or an attribute, nothing is invalid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const written = escaped(text)
        expect(written).not.toMatch(/[<>"'\n\r\t]|&(?!amp;|lt;|gt;|quot;|apos;|#\d+;)/)
        const read = written
          .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&apos;', "'")
          .replaceAll('&amp;', '&')
        expect(read).toBe([...text].filter(isHoldable).join(''))
      }),
    )
    expect(escaped('a\ud800b\udc00c\u{1f6d2}\ufffe\u0000\u000b')).toBe('abc\u{1f6d2}')
  })

  test('has numbers without exponents', () => {
    const cases = [
      [1_000_000_000, 2, '1000000000.00'],
      [1e15, 2, '1000000000000000.00'],
      [0.001, 0, '0.001'],
      [10, 0, '10'],
      [0.1 + 0.2, 2, '0.30'],
      [79.905, 2, '79.905'],
    ] as const
    for (const [value, least, text] of cases) expect(decimal(value, least)).toBe(text)
  })
})
