import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import {
  counts,
  importFile,
  newCatalog,
  product,
  rejectsOf,
  startImport,
  taskEnded,
  upload,
} from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

const jsonl = (...lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const asJsonl = { name: 'data.jsonl' }

describe('what an import leaves unchanged', () => {
  test('a product that has another part number now is not taken for the one that had it', async () => {
    const row = (mpn: string, title: string) => `brand,mpn,title\nAcme,${mpn},${title}\n`
    await importFile(call, row('A-1', 'Hammer'))
    const found = await expectOk(call('POST /api/search?catalog=c', { body: { keywords: 'A-1' } }))
    const { id } = found.body.products[0]
    const renamed = { manufacturerPartNumber: 'A-2', name: 'Second edition' }
    await expectOk(call(`PUT /api/Catalog/c/products/${id}`, { body: renamed }))
    const task = await importFile(call, row('A-1', 'Old hammer'))
    expect(task).toMatchObject({ created: 0, updated: 0, rejected: 1 })
    expect(await rejectsOf(call, task)).toContain(
      'the id derived from this number belongs to a product that has another number now',
    )
    expect(await product(call, id)).toMatchObject(renamed)
    expect(await importFile(call, row('A-2', 'Third edition'))).toMatchObject({ updated: 1 })
  })

  test('a product that lost its offer gets it again by the number of the vendor', async () => {
    const row = 'vendor,vendor part number,title,price\nNord,N-1,Hammer,5\n'
    await importFile(call, row)
    const found = await expectOk(call('POST /api/search?catalog=c', { body: {} }))
    const { id } = found.body.products[0]
    await expectOk(call(`PUT /api/Catalog/c/products/${id}`, { body: { vendors: [] } }))
    expect(await importFile(call, row)).toMatchObject({ updated: 1, rejected: 0 })
    expect(await product(call, id)).toMatchObject({ vendors: [{ vendorPartNumber: 'N-1' }] })
  })

  test('with createProducts false, unknown products are rejected', async () => {
    await importFile(call, 'id,name\n1,Desk\n')
    const task = await importFile(call, 'id,name\n1,Table\n2,Lamp\n', { createProducts: false })
    expect(counts(task)).toMatchObject({ updated: 1, created: 0, rejected: 1 })
    expect(await rejectsOf(call, task)).toContain(
      '3,"product not found, and createProducts is false",2,Lamp',
    )
  })

  test('with updateMetadata false, only offers of known products change', async () => {
    await importFile(call, 'id,name,vendor,price\n1,Desk,Nord,10\n')
    const task = await importFile(call, 'id,name,vendor,price\n1,Table,Nord,12\n2,Lamp,Nord,5\n', {
      updateMetadata: false,
    })
    expect(counts(task)).toMatchObject({ updated: 1, created: 1 })
    expect(await product(call, '1')).toMatchObject({ name: 'Desk', vendors: [{ cost: 12 }] })
    expect((await product(call, '2')).name).toBe('Lamp')
  })

  test('an empty cell or an absent field does not change a value', async () => {
    await importFile(call, 'id,name,description,facet:Color\n1,Desk,Wooden,red\n')
    await importFile(call, 'id,name,description,facet:Size\n1,,,L\n')
    expect(await product(call, '1')).toMatchObject({
      name: 'Desk',
      description: 'Wooden',
      facets: { Color: 'red', Size: 'L' },
    })
    await importFile(call, jsonl({ id: '1', description: null }), asJsonl)
    expect(await product(call, '1')).toMatchObject({ name: 'Desk', description: null })
  })

  test('catalog data that changes is logged, offers are not', async () => {
    await importFile(call, 'id,name,vendor,price\n1,Desk,Nord,10\n')
    await importFile(call, 'id,name,vendor,price\n1,Table,Nord,12\n')
    const { body } = await expectOk(call('GET /api/Catalog/c/products/1/logs'))
    expect(body.items).toMatchObject([
      {
        fieldsUpdated: ['name'],
        updatedBy: 'administrator',
        source: 'import',
        changes: [{ field: 'name', before: 'Desk', after: 'Table' }],
      },
    ])
    await importFile(call, 'id,name,vendor,price\n1,Table,Nord,13\n')
    const after = await expectOk(call('GET /api/Catalog/c/products/1/logs'))
    expect(after.body.items).toHaveLength(1)
  })
})

describe('manufacturer names', () => {
  test('are spelled as in the catalog on request', async () => {
    await importFile(call, 'id,manufacturer\n1,Hewlett-Packard\n2,Hewlett-Packard\n')
    await importFile(
      call,
      'id,manufacturer\n3,hewlett packard\n4,HEWLETT PACKARD\n5,New Co\n6,new co\n',
      { normalizeManufacturerName: true },
    )
    const names = await Promise.all(['3', '4', '5', '6'].map((id) => product(call, id)))
    expect(names.map(({ manufacturer }) => manufacturer)).toEqual([
      'Hewlett-Packard',
      'Hewlett-Packard',
      'New Co',
      'New Co',
    ])
  })

  test('are those of the organization’s table, also for existing products', async () => {
    const configurations = [
      {
        name: 'manufacturerAliases',
        defaultValue: 'HP = Hewlett-Packard | Compaq; Acme = Acme Tools',
      },
    ]
    await expectOk(call('PUT /api/organizations/current', { body: { configurations } }))
    await importFile(call, 'id,manufacturer,mpn\n1,Hewlett-Packard,X1\n')
    const rows = ['hp inc.,X1', 'COMPAQ,X2', 'ACME TOOLS LTD,X3', 'wd,X4', 'Zapf GmbH,X5']
    const task = await importFile(call, ['manufacturer,mpn', ...rows].join('\n'), {
      normalizeManufacturerName: true,
    })
    expect(counts(task)).toMatchObject({ updated: 1, created: 4 })
    expect((await product(call, '1')).manufacturer).toBe('HP')
    const found = await expectOk(call('POST /api/search?catalog=c', { body: {} }))
    expect(found.body.metadata.manufacturers.toSorted()).toEqual([
      'Acme',
      'HP',
      'Western Digital',
      'Zapf GmbH',
    ])
  })
})

describe('a request for an import', () => {
  const post = (body: object) => call('POST /api/extensions/import/import', { body })

  test.each<[string, object, string]>([
    ['no file', {}, 'fileUrl: required'],
    ['an address inside', { fileUrl: 'http://10.0.0.1/x.csv' }, 'fileUrl: leads to an address'],
    [
      'a file that is gone',
      { fileUrl: `http://localhost:3000/api/files/${'0'.repeat(32)}` },
      'fileUrl: the file does not exist',
    ],
    ['a callback inside', { callbackUrl: 'http://127.0.0.1/done' }, 'callbackUrl: leads to'],
    ['another organization', { organization: 'other' }, 'organization: differs'],
  ])('with %s is refused', async (_, body, message) => {
    const answer = await post({ targetCatalog: 'c', ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  test.each<[string, object, string]>([
    ['an unknown type', { fileType: 'docx' }, 'fileType: must be one of csv, tsv, jsonl'],
    [
      'an unknown field',
      { mappings: [{ column: 0, field: 'colour' }] },
      'mappings[0].field: must be one of id',
    ],
    [
      'the same field twice',
      {
        mappings: [
          { column: 0, field: 'id' },
          { column: 1, field: 'id' },
        ],
      },
      'mappings[1].field: id is mapped twice',
    ],
    [
      'no identity',
      { mappings: [{ column: 0, field: 'name' }] },
      'no column identifies the product',
    ],
    ['a negative column', { mappings: [{ column: -1, field: 'id' }] }, 'mappings[0].column'],
    ['neither header nor mappings', { header: false }, 'mappings: required for a file without'],
    [
      'a delimiter of two characters',
      { delimiter: ';;' },
      'delimiter: must be one ASCII character',
    ],
    ['one sign for two things', { delimiter: '|', quoteChar: '|' }, 'quoteChar: must differ'],
    [
      'mappings for jsonl',
      { fileType: 'jsonl', mappings: [{ column: 0, field: 'id' }] },
      'mappings: a jsonl file has no columns',
    ],
  ])('with %s is refused', async (_, body, message) => {
    const fileUrl = await upload(call, 'id\n1\n')
    const answer = await post({ targetCatalog: 'c', fileUrl, ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  test('for an unknown catalog or extension returns 404', async () => {
    const fileUrl = await upload(call, 'id\n1\n')
    expect((await post({ targetCatalog: 'none', fileUrl })).status).toBe(404)
    expect((await post({ targetCatalog: 'c', fileUrl, extensionId: 'other' })).status).toBe(404)
  })

  test('cannot use a file of another organization', async () => {
    const fileUrl = await upload(call, 'id\n1\n')
    const other = await newOrganization(service)
    await newCatalog(other)
    const answer = await other.call('POST /api/extensions/import/import', {
      body: { targetCatalog: 'c', fileUrl },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('the file does not exist')
  })

  test('in revision 1.0 runs as the extension "file"', async () => {
    const body = {
      apiKey: 'not-a-key-and-ignored',
      organization: organization.id,
      targetCatalog: 'c',
      callbackUrl: '',
      fileUrl: await upload(call, 'id,name\n1,Desk\n'),
      username: null,
      password: '',
      fileType: 'csv',
      delimiter: ',',
      quoteChar: '"',
      zipped: false,
      zippedFile: '',
      createProducts: true,
      updateMetadata: true,
      normalizeManufacturerName: false,
      vendor: '',
      mappings: [],
    }
    const queue = (id: string) =>
      call(`POST /api/extensions/import/${id}/run`, { body, version: '1.0' })
    expect((await queue('other')).status).toBe(404)
    const answer = await expectOk(queue('file'))
    expect(answer.body).toMatchObject({ success: true, message: 'The import is queued.' })
    const task = await taskEnded(call, answer.body.taskId)
    expect(counts(task)).toMatchObject({ created: 1 })
  })

  test('by an import key runs an installed import unchanged', async () => {
    const fileUrl = await upload(call, 'id,name\n1,Desk\n')
    const at = 'POST /api/extensions/available/file/install'
    const { id } = (await expectOk(call(at, { body: { additionalData: { fileUrl } } }))).body
    const importer = caller(service, { key: await organization.key('editor', 'import') })
    const run = (body: object) =>
      importer('POST /api/extensions/import/import', {
        body: { ...body, extensionId: id, targetCatalog: 'c' },
      })
    await expectOk(call(`PUT /api/extensions/installed/${id}`, { body: { catalog: 'c' } }))
    for (const [name, value] of [
      [
        'mappings',
        [
          { column: 0, field: 'msrp' },
          { column: 1, field: 'id' },
        ],
      ],
      ['createProducts', false],
      ['quoteChar', 'x'],
    ] as const) {
      const refused = await run({ [name]: value, fileUrl })
      expect(refused.status).toBe(403)
      expect(refused.body.message).toContain(
        `${name}: an import key cannot change this field of an installed import`,
      )
    }
    const own = await upload(importer, 'name,code\nLamp,2\n')
    const mappings = [
      { column: 0, field: 'name' },
      { column: 1, field: 'id' },
    ]
    const tasks = [await expectOk(run({})), await expectOk(run({ fileUrl: own, mappings }))]
    for (const { body } of tasks) {
      expect(counts(await taskEnded(importer, body.taskId))).toMatchObject({ created: 1 })
    }
  })

  test('maps as many columns as a file has, unless a task would keep too much of them', async () => {
    const fileUrl = await upload(call, 'id,name\n1,Desk\n')
    const run = (name: string) =>
      call('POST /api/extensions/import/import', {
        body: {
          targetCatalog: 'c',
          fileUrl,
          mappings: Array.from({ length: limits.importColumns }, (_, column) =>
            column === 0
              ? { column, field: 'id' }
              : { column, field: 'attribute', attribute: `${column} ${name}` },
          ),
        },
      })
    await expectOk(run('a'.repeat(50)))
    const refused = await run('漢'.repeat(100))
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(
      'The input of the task (mappings, criteria, products, changes and field values) is larger than 524288 bytes as JSON. Send less.',
    )
  })

  test('is allowed for import keys, which see only their own tasks, and not for viewers', async () => {
    const importer = caller(service, {
      key: await organization.key('editor', 'import'),
      organization: organization.id,
    })
    const task = await importFile(importer, 'id,name\n1,Desk\n')
    expect(counts(task)).toMatchObject({ created: 1 })
    const other = await startImport(call, 'id,name\n2,Lamp\n', { targetCatalog: 'c' })
    const { body } = await importer('GET /api/tasks')
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([task.id])
    await taskEnded(call, other)
    const viewer = await organization.as('viewer')
    const fileUrl = await upload(call, 'id\n1\n')
    const refused = await viewer('POST /api/extensions/import/import', {
      body: { targetCatalog: 'c', fileUrl },
    })
    expect(refused.status).toBe(403)
    expect((await importer('GET /api/Catalog/c/products/1')).status).toBe(403)
  })
})
