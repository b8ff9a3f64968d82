import { beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '../../src/languages/language.ts'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

/** One small shop per language; ids say in English what a product is. */
const SHOPS: Readonly<Record<Exclude<Language, 'en'>, readonly Sketch[]>> = {
  de: [
    { id: 'screw', name: 'Schraube M8 x 40 verzinkt', category: 'Schrauben' },
    { id: 'driver', name: 'Akkuschrauber 18 V', category: 'Akkuschrauber' },
    { id: 'bore', name: 'Durchmesser 12 mm' },
    { id: 'house', name: 'Haus für Vögel' },
    { id: 'key', name: 'Schlüssel 13 mm' },
    { id: 'lamp', name: 'Rote Lampe' },
    { id: 'case', name: 'Hülle für Notebook' },
    { id: 'notebook', name: 'Notebook 15,6 Zoll', attributes: { Touchscreen: 'Ja' } },
    { id: 'cable', name: 'Kabel 1,5 m' },
    { id: 'long', name: 'Kabel 1.500 m' },
    { id: 'charger', name: 'Netzteil ohne Kabel' },
    { id: 'towel', name: 'Handtücher weiß' },
    { id: 'helmet', name: 'Schutzhelm für Motorrad' },
    { id: 'motorcycle', name: 'Motorrad 125 cm³' },
    { id: 'top', name: 'Regenjacke Kinder', attributes: { Muster: 'Motorrad' } },
  ],
  fr: [
    { id: 'horse', name: 'Cheval de bois' },
    { id: 'screen', name: "Protection pour l'écran", category: 'Accessoires' },
    { id: 'monitor', name: 'Écran 27 pouces', category: 'Écrans' },
    { id: 'memory', name: 'Clé USB 16 Go' },
    { id: 'battery', name: 'Batterie 18 V' },
    { id: 'mixer', name: 'Batteur électrique' },
    { id: 'lamp', name: 'Lampe noire sans fil' },
    { id: 'mouse', name: 'Souris optique', category: 'Souris' },
    { id: 'pad', name: 'Tapis de souris', category: 'Tapis' },
  ],
  es: [
    { id: 'screw', name: 'Tornillo de acero' },
    { id: 'light', name: 'Luz LED' },
    { id: 'printer', name: 'Impresora láser negra', category: 'Impresoras' },
    { id: 'toner', name: 'Tóner para impresora', category: 'Tóneres' },
    { id: 'port', name: 'Adaptador con puerto USB' },
    { id: 'door', name: 'Puerta de madera' },
  ],
  it: [
    { id: 'screw', name: 'Vite a testa svasata' },
    { id: 'tube', name: 'Tubo in rame' },
    { id: 'disk', name: 'Disco rigido 2 TB' },
    { id: 'water', name: "Filtro per l'acqua" },
  ],
  nl: [
    { id: 'screw', name: 'Schroef verzinkt' },
    { id: 'drill', name: 'Boormachine 750 W' },
    { id: 'mouse', name: 'Muis draadloos' },
    { id: 'case', name: 'Hoes voor laptop' },
    { id: 'laptop', name: 'Laptop met 16 GB' },
  ],
}

let service: TestService
let org: TestOrganization
const catalogs = new Map<Language, string>()

beforeAll(async () => {
  service = await startService()
  org = await newOrganization(service)
  for (const [language, products] of Object.entries(SHOPS)) {
    const name = await seedCatalog(service, org, products, language, language as Language)
    catalogs.set(language as Language, name)
  }
})

async function search(catalog: string, body: object) {
  const line = `POST /api/search?catalog=${catalog}`
  return (await expectOk(org.call(line, { body: { includeMetadata: false, ...body } }))).body
}

const ids = async (catalog: string, keywords: string): Promise<string[]> =>
  (await search(catalog, { keywords })).products.map(({ id }: { id: string }) => id)

describe('a catalog is analyzed in its language', () => {
  test.each([
    ['de', 'Schrauben', ['screw']],
    ['de', 'Schrauber', ['driver']],
    ['de', 'Akku', ['driver']],
    ['de', 'Akkuschrauber', ['driver']],
    ['de', 'schrauver', ['driver']],
    ['de', 'Messer', []],
    ['de', 'Häuser', ['house']],
    ['de', 'Schluessel', ['key']],
    ['de', 'rotes Licht Lampen', ['lamp']],
    ['de', 'handtuch', ['towel']],
    ['de', 'kabel 150 cm', ['cable']],
    ['de', 'kabel 1500 m', ['long']],
    ['de', 'notebook touchscreen', ['notebook']],
    ['de', 'netzteil ohne kabel', ['charger']],
    ['de', 'Notebookhülle', ['case']],
    ['de', 'Motorradhelm', ['helmet']],
    ['de', 'Motorradhelme', ['helmet']],
    ['fr', 'chevaux', ['horse']],
    ['fr', "l'écran 27 pouces", ['monitor']],
    ['fr', 'clés usb 16 GB', ['memory']],
    ['fr', 'batteries', ['battery']],
    ['fr', 'une lampe noir', ['lamp']],
    ['es', 'tornillos', ['screw']],
    ['es', 'luces', ['light']],
    ['es', 'puertos', ['port']],
    ['es', 'puertas', ['door']],
    ['it', 'viti', ['screw']],
    ['it', 'tubi', ['tube']],
    ['it', 'dischi', ['disk']],
    ['it', 'acqua', ['water']],
    ['nl', 'schroeven', ['screw']],
    ['nl', 'boormachines', ['drill']],
    ['nl', 'machine', ['drill']],
    ['nl', 'muizen', ['mouse']],
  ])('%s: %s', async (language, keywords, expected) => {
    expect(await ids(language, keywords)).toEqual(expected)
  })

  test.each([
    ['de', 'notebook', ['notebook', 'case']],
    ['fr', 'écran', ['monitor', 'screen']],
    ['fr', 'souris', ['mouse', 'pad']],
    ['es', 'impresoras', ['printer', 'toner']],
    ['nl', 'laptops', ['laptop', 'case']],
  ])('%s: %s ranks above accessories for it', async (language, keywords, order) => {
    expect(await ids(language, keywords)).toEqual(order)
  })

  test('words are highlighted, corrected and completed in it', async () => {
    const marked = await search('de', { keywords: 'lampen', highlight: true })
    expect(marked.products[0].highlight).toEqual({ name: 'Rote <em>Lampe</em>' })
    expect(await search('fr', { keywords: 'chevla' })).toMatchObject({
      correctedTo: 'cheval',
      products: [{ id: 'horse' }],
    })
    const typed = await search('es', { keywords: 'torni', typing: true })
    expect(typed.products).toMatchObject([{ id: 'screw' }])
  })
})

describe('the language of a catalog', () => {
  const listed = async (name: string) =>
    (await expectOk(org.call('GET /api/Catalog'))).body.catalogs.find(
      (catalog: { name: string }) => catalog.name === name,
    )
  const put = (name: string, language: unknown) =>
    org.call('PUT /api/Catalog', { body: { name, language } })

  test('is listed if one was chosen, and can be changed while there are no products', async () => {
    await expectOk(org.call('POST /api/Catalog', { body: { name: 'new' } }))
    expect(await listed('new')).not.toHaveProperty('language')
    await expectOk(put('new', 'de'))
    expect(await listed('new')).toMatchObject({ language: 'de' })
    const product = { id: 'lamp', name: 'Lampe' }
    await expectOk(org.call('POST /api/Catalog/new/products', { body: product }))
    expect(await put('new', 'fr')).toMatchObject({
      status: 400,
      body: {
        message:
          'language: the catalog has products that are indexed as de; create a catalog with language fr and import them there, or remove them first',
      },
    })
    await expectOk(put('new', 'de'))
    await expectOk(org.call('PUT /api/Catalog/new/products/lamp', { body: { unspsc: '39' } }))
    await service.services.elastic.client.indices.refresh()
    expect(await ids('new', 'Lampen')).toEqual(['lamp'])
  })

  test.each(['POST', 'PUT'])(
    '%s: an unknown language is refused with the list of known ones',
    async (method) => {
      for (const language of ['sv', 'DE', '', 7]) {
        const answer = await org.call(`${method} /api/Catalog`, {
          body: { name: 'other', language },
        })
        expect([answer.status, answer.body.message]).toEqual([
          400,
          'language: must be one of en, de, es, fr, it, nl',
        ])
      }
    },
  )
})
