import { expect, onTestFinished, test, vi } from 'vitest'
import { learnTypes } from '../../src/search/learning/learn-types.ts'
import { caller, expectOk } from '../support/client.ts'
import { searchBench } from '../support/search.ts'

const twenty = (make: (at: number) => object) =>
  Array.from({ length: 20 }, (_, at) => ({ manufacturer: 'Acme', ...make(at) }))

test('a catalog’s learned types and values affect the order of results, but hide or add nothing', async () => {
  const bench = await searchBench([
    // Their names show that a visor is an accessory.
    ...twenty((at) => ({ id: `visor${at}`, name: `Visor for lens ${at}` })),
    ...twenty((at) => ({ id: `monitor${at}`, name: `Monitor ${at}`, unspsc: '43211902' })),
    ...twenty((at) => ({ id: `mat${at}`, name: `Mat ${at}` })),
    // Both contain the word, but only for one of them it is the color.
    {
      ...{ id: 'a-pad', name: 'Pad', description: 'it stands well on a black desk' },
      facets: { Colour: 'Grey' },
    },
    {
      ...{ id: 'b-pad', name: 'Pad', description: 'it stands well on a white desk' },
      facets: { Colour: 'Black' },
    },
    { id: 'both', name: 'Camera 20 cm visor' },
    { id: 'real', name: 'Acme zoom camera with a long name in silver' },
    // Neither name says that it is a monitor; only the code of one does.
    { id: 'a-cloth', name: 'Cloth', description: 'cleans your projector or monitor' },
    {
      id: 'b-panel',
      name: 'Panelview',
      description: 'a wide monitor of many colors to work with',
      unspsc: '43211902',
    },
  ] as never)
  const { service, org, catalog } = bench
  const cameras = () => bench.ids({ keywords: 'camera' })
  const pads = () => bench.ids({ keywords: 'black pad' })
  const exclude = [{ type: 'manufacturer', value: 'Acme' }]
  const described = () => bench.ids({ keywords: 'monitor', exclude })

  expect(await cameras()).toEqual(['both', 'real'])
  expect(await described()).toEqual(['a-cloth', 'b-panel'])
  expect(await pads()).toEqual(['a-pad', 'b-pad'])
  // Fifty products suffice for learning; if that fails, the next search starts it again.
  const learned = async () => {
    await bench.ids({ keywords: 'acme' })
    await service.services.background.settled()
    return cameras()
  }
  await expect.poll(learned).toEqual(['real', 'both'])
  expect(await bench.ids({ keywords: 'camera visor' })).toEqual(['both'])
  expect(await described()).toEqual(['b-panel', 'a-cloth'])
  expect(await pads()).toEqual(['b-pad', 'a-pad'])
  // A walk keeps its order between pages, and a restricted key does not learn from hidden products.
  const first = await bench.search({ keywords: 'camera', cursor: '*', pageSize: 2 })
  expect(first.products.map(({ id }: { id: string }) => id)).toEqual(['both', 'real'])
  const body = {
    name: 'page',
    keyType: 'search',
    filter: { exclude: [{ type: 'manufacturer', value: 'None' }] },
  }
  const { key } = (await expectOk(org.call('POST /api/KeyAuth/keys', { body }))).body
  const asKey = caller(service, { key, organization: org.id })
  const search = { keywords: 'camera', pageSize: 2 }
  const { products } = (
    await expectOk(asKey(`POST /api/search/simple?catalog=${catalog}`, { body: search }))
  ).body
  expect(products.map(({ id }: { id: string }) => id)).toEqual(['both', 'real'])
})

test('types are learned even if values cannot be counted', async () => {
  const { service, org, catalog } = await searchBench(
    twenty((at) => ({ id: `visor${at}`, name: `Visor for lens ${at}` })) as never,
  )
  const { elastic } = service.services
  const search = elastic.client.search.bind(elastic.client)
  const failing = vi.spyOn(elastic.client, 'search')
  failing.mockImplementation(((request: object, options: object) =>
    JSON.stringify(request).includes('value_count')
      ? Promise.reject(new Error('too slow'))
      : search(request, options)) as never)
  onTestFinished(() => failing.mockRestore())
  const scope = { owner: org.id, name: catalog, index: null, language: 'en' } as const
  const { accessories, values } = await learnTypes(elastic, scope)
  expect([accessories, values.size]).toEqual([['visor'], 0])
})
