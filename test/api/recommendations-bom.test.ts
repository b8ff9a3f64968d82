import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let viewer: Call
let catalog: string

const offer = (vendorPartNumber: string) => ({ vendorName: 'Oakvale Supply', vendorPartNumber })

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  viewer = await organization.as('viewer')
  catalog = await seedCatalog(service, organization, [
    {
      id: 'T-1',
      name: 'HP CB436A black laser toner',
      manufacturer: 'HP',
      manufacturerPartNumber: 'CB436A',
      upcs: ['0884420588030'],
      vendors: [offer('OV-88120')],
    },
    {
      id: 'T-2',
      name: 'Xerox toner cartridge black',
      manufacturer: 'Xerox',
      manufacturerPartNumber: '006R-90321',
    },
    {
      id: 'S-1',
      name: 'Brennick drill',
      manufacturer: 'Brennick',
      manufacturerPartNumber: 'DS-18',
    },
    { id: 'S-2', name: 'Brennick case', manufacturer: 'Brennick', manufacturerPartNumber: 'DS18' },
    {
      id: 'S-3',
      name: 'Hartspindle bit',
      manufacturer: 'Hartspindle',
      manufacturerPartNumber: 'DS 18',
    },
    {
      id: 'W-1',
      name: 'Hartspindle combination wrench 19 mm chrome',
      manufacturer: 'Hartspindle',
      manufacturerPartNumber: 'HS-7/19',
    },
  ])
})

const run = (additionalFields: Record<string, string>, by = viewer, extension = 'bom') =>
  by(`POST /api/extensions/recommendation/${extension}/run`, {
    body: { additionalFields: { catalog, ...additionalFields } },
  })
const matching = async (text: string) => (await expectOk(run({ text }))).body
const ids = (matches: readonly { productId: string }[]) => matches.map(({ productId }) => productId)

describe('matching a bill of materials', () => {
  test('reads a table by its headings, with the quantity of each line', async () => {
    const answer = await matching(
      [
        'Hersteller;Artikelnr.;Menge',
        'Hewlett-Packard;cb436a;2',
        ';006R90321;5 Stk',
        ';OV-88120;',
      ].join('\n'),
    )
    expect(answer).toEqual({
      error: null,
      success: true,
      products: ['T-1', 'T-2'],
      matchedProducts: [
        {
          productId: 'T-1',
          scorer: 'exact part number',
          source: catalog,
          matchedTo: 'cb436a',
          qty: '2',
          mfp: 'CB436A',
          name: 'HP CB436A black laser toner',
          matchGroup: '2',
          score: 1,
        },
        expect.objectContaining({
          productId: 'T-2',
          scorer: 'part number without punctuation',
          qty: '5',
          matchGroup: '3',
        }),
        expect.objectContaining({
          productId: 'T-1',
          scorer: 'vendor part number',
          qty: null,
          matchGroup: '4',
        }),
      ],
      possibleProducts: [],
    })
  })

  test.each([
    ['2x HP CB436A', 'T-1', '2'],
    ['CB 436 A toner, 3 pcs', 'T-1', '3'],
    ['Menge: 4, hp inc. cb-436-a', 'T-1', '4'],
    ['Xerox 006R90321 x12', 'T-2', '12'],
    ['1,000 x CB436A', 'T-1', '1000'],
    ['MPN;Menge;Preis\nCB436A;drei;7', 'T-1', null],
    ['0884420588030 HP', 'T-1', null],
    ['884420588030\tqty 7', 'T-1', '7'],
  ])('understands %s', async (text, id, qty) => {
    const { matchedProducts } = await matching(text)
    expect(matchedProducts).toMatchObject([{ productId: id, qty }])
  })

  test('finds numbers in swapped columns', async () => {
    const answer = await matching('Part number,Manufacturer,Qty\nHP,CB436A,2\n3,Xerox,006R90321\n')
    expect(answer.matchedProducts).toMatchObject([
      { productId: 'T-1', qty: '2' },
      { productId: 'T-2', qty: '3' },
    ])
  })

  test('returns all products of an ambiguous number as possible', async () => {
    const answer = await matching('DS18\nBrennick DS18')
    expect(answer.matchedProducts).toEqual([])
    const groups = Map.groupBy(
      answer.possibleProducts as { matchGroup: string; productId: string }[],
      ({ matchGroup }) => matchGroup,
    )
    expect(ids(groups.get('1')!).toSorted()).toEqual(['S-1', 'S-2', 'S-3'])
    expect(ids(groups.get('2')!).toSorted()).toEqual(['S-1', 'S-2'])
    // The exact spelling comes first.
    expect(groups.get('1')![0]!.productId).toBe('S-2')
  })

  test('prefers products of the manufacturer', async () => {
    expect((await matching('Hartspindle DS18')).products).toEqual(['S-3'])
  })

  test('treats another manufacturer’s number as possible, not as a match', async () => {
    const answer = await matching('Part number,Brand\nCB436A,Xerox')
    expect(answer.products).toEqual([])
    expect(ids(answer.possibleProducts)).toContain('T-1')
  })

  test('does not match products that the line is compatible with', async () => {
    const answer = await matching('drum unit compatible with CB436A')
    expect(answer.products).toEqual([])
  })

  test('returns the likeliest products by words first, none of them as a match', async () => {
    const answer = await matching('2 Stk Hartspindle wrench 19 mm')
    expect(answer.products).toEqual([])
    expect(answer.possibleProducts[0]).toMatchObject({
      productId: 'W-1',
      scorer: 'manufacturer + words',
      qty: '2',
      matchedTo: '2 Stk Hartspindle wrench 19 mm',
    })
  })

  test('omits lines that match nothing', async () => {
    const answer = await matching('Part number,Qty\nZZ-99999,4\nCB436A,1')
    expect(ids(answer.matchedProducts)).toEqual(['T-1'])
    expect(answer.possibleProducts).toEqual([])
    expect(answer.matchedProducts[0].matchGroup).toBe('3')
  })

  test('returns products that can be added to a workspace with one call', async () => {
    const { matchedProducts } = await matching('CB436A,2\n006R90321,5')
    const workspace = (await expectOk(viewer('POST /api/workspaces', { body: { name: 'quote' } })))
      .body.id
    const items = matchedProducts.map(
      (match: { source: string; productId: string; qty: string }) => ({
        catalog: match.source,
        productId: match.productId,
        quantity: Number(match.qty),
      }),
    )
    await expectOk(viewer(`POST /api/workspaces/${workspace}/items`, { body: { items } }))
    const { products } = (await expectOk(viewer(`GET /api/workspaces/${workspace}`))).body
    expect(
      products.map(
        ({ productId, details }: { productId: string; details: { quantity: number } }) => [
          productId,
          details.quantity,
        ],
      ),
    ).toEqual([
      ['T-1', 2],
      ['T-2', 5],
    ])
  })
})

describe('a bill of materials is refused', () => {
  test.each([
    [{}, 'additionalFields.text: required, or fileUrl'],
    [
      { text: 'CB436A', fileUrl: 'http://localhost:3000/api/files/1' },
      'cannot be combined with fileUrl',
    ],
    [{ fileUrl: 'http://169.254.169.254/list.csv' }, 'Upload Recommendation File'],
    [{ text: 'CB436A', lines: '2' }, 'additionalFields.lines: unknown field; known: text,'],
    [{ text: ' \n \n' }, 'no lines'],
    [{ text: 'Part number,Qty' }, 'no lines'],
    [{ text: 'A-1000\n'.repeat(limits.recommendationLines + 1) }, 'Send it in parts'],
  ])('%.40j: %s', async (fields, message) => {
    const answer = await run(fields)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  test('for a catalog, an extension, a file or a key that the caller does not have', async () => {
    const stranger = await newOrganization(service)
    const missing = await run({ text: 'CB436A', catalog: 'nowhere' })
    const foreign = await run({ text: 'CB436A' }, stranger.call)
    expect([missing.status, foreign.status]).toEqual([404, 404])
    expect(foreign.body).toEqual(missing.body)
    expect((await run({ text: 'CB436A' }, viewer, 'nothing')).status).toBe(404)
    const search = await organization.key('viewer', 'search')
    const denied = await viewer('POST /api/extensions/recommendation/bom/run', {
      key: search,
      body: { additionalFields: { catalog, text: 'CB436A' } },
    })
    expect(denied.status).toBe(403)
  })

  test.each([
    '((((((((((',
    '2x',
    '0',
    '€ 12,99',
    '"unclosed',
    'a'.repeat(60_000),
    `${',111'.repeat(490)}\n`.repeat(30),
    `a1${','.repeat(1_900)}\n`.repeat(30),
    '™',
    '\t\t\t',
  ])('but not for odd text: %j', async (text) => {
    const { status } = await run({ text })
    expect([200, 400]).toContain(status)
  })
})
