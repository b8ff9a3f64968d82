import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
})

const INSTALL = 'POST /api/extensions/available/file/install'
const SECRET = 'canary-7f3a9c-password'
const values = { fileUrl: 'https://oakvale.example/prices.csv', password: SECRET }

async function install(body: object, by: Call = call): Promise<string> {
  const answer = await by(INSTALL, { body })
  expect(answer.body).toMatchObject({ success: true })
  return answer.body.id
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
const listed = async (id: string, by: Call = call): Promise<any> =>
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  (await by('GET /api/extensions/installed')).body.find((one: any) => one.id === id)

// biome-ignore lint/suspicious/noExplicitAny: an answer
const valueIn = (installed: any, field: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  installed.additionalData.find((one: any) => one.field === field).defaultValue

describe('an installed extension', () => {
  test('shows its values, except protected ones', async () => {
    const id = await install({
      extensionNickname: 'Oakvale prices',
      vendor: 'Oakvale Supply',
      additionalData: values,
      mappings: [{ column: 0, field: 'id' }],
    })
    const shown = await listed(id)
    expect(shown).toMatchObject({
      source: 'built-in',
      extension: 'file',
      extensionType: 'import',
      nickname: 'Oakvale prices',
      vendor: 'Oakvale Supply',
      enabled: true,
      catalogFilter: [],
      mappings: [{ column: 0, field: 'id', attribute: null }],
    })
    expect(valueIn(shown, 'fileUrl')).toBe(values.fileUrl)
    expect(JSON.stringify(shown)).not.toContain(SECRET)
  })

  test('stores a protected value encrypted', async () => {
    const id = await install({ additionalData: values })
    const { client, indexName } = service.services.elastic
    await client.indices.refresh({ index: indexName('installations') })
    const found = await client.search({
      index: indexName('installations'),
      query: { term: { id } },
    })
    const [document] = found.hits.hits
    expect(document).toBeDefined()
    expect(JSON.stringify(document)).not.toContain(SECRET)
    expect(JSON.stringify(document)).toContain(values.fileUrl)
  })

  test('changes the fields of an update, and keeps the rest', async () => {
    const id = await install({ vendor: 'Oakvale Supply', additionalData: values })
    const update = (body: object) => call(`PUT /api/extensions/installed/${id}`, { body })
    const answer = await update({ enabled: false, additionalData: { username: 'ada' } })
    expect(answer.status).toBe(200)
    const shown = await listed(id)
    expect(shown).toMatchObject({ enabled: false, vendor: 'Oakvale Supply' })
    expect(valueIn(shown, 'username')).toBe('ada')
    expect(valueIn(shown, 'fileUrl')).toBe(values.fileUrl)
    await update({ vendor: null, additionalData: { fileUrl: '' } })
    const cleared = await listed(id)
    expect(cleared.vendor).toBeNull()
    expect(valueIn(cleared, 'fileUrl')).toBeNull()
  })

  test('keeps concurrent updates of different fields', async () => {
    const id = await install({})
    const given = {
      username: 'ada',
      delimiter: ';',
      zippedFile: 'p.csv',
      fileUrl: 'https://a.example/',
      quoteChar: "'",
      fileType: 'csv',
    }
    const answers = await Promise.all(
      Object.entries(given).map(([field, text]) =>
        call(`PUT /api/extensions/installed/${id}`, {
          body: { additionalData: { [field]: text } },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const shown = await listed(id)
    const kept = Object.keys(given).map((field) => [field, valueIn(shown, field)])
    expect(Object.fromEntries(kept)).toEqual(given)
  })

  test('no longer exists after it is removed', async () => {
    const id = await install({})
    expect((await call(`DELETE /api/extensions/installed/${id}`)).status).toBe(200)
    expect(await listed(id)).toBeUndefined()
    expect((await call(`DELETE /api/extensions/installed/${id}`)).status).toBe(404)
    expect((await call(`GET /api/extensions/installed/${id}/logs`)).status).toBe(404)
  })

  test('with level user is visible only to its user', async () => {
    const id = await install({ extensionLevel: 'user' })
    expect(await listed(id)).toBeDefined()
    const viewer = await organization.as('viewer')
    expect(await listed(id, viewer)).toBeUndefined()
    const [own, foreign] = await Promise.all(
      [id, crypto.randomUUID()].map((one) => viewer(`GET /api/extensions/installed/${one}/logs`)),
    )
    expect([own!.status, own!.body]).toEqual([404, foreign!.body])
  })
})

describe('installations of a parent', () => {
  test('are visible to its children, and changed only by the parent', async () => {
    const child = await newOrganization(service, organization.id)
    const id = await install({ additionalData: values })
    expect(await listed(id, child.call)).toMatchObject({ organization: organization.id })
    const body = { enabled: false }
    const refused = await child.call(`PUT /api/extensions/installed/${id}`, { body })
    expect(refused.status).toBe(403)
    expect((await child.call(`DELETE /api/extensions/installed/${id}`)).status).toBe(403)
    expect(await listed(id)).toMatchObject({ enabled: true })
  })

  test('of a child or a foreign organization are not visible', async () => {
    const child = await newOrganization(service, organization.id)
    const stranger = await newOrganization(service)
    const id = await install({}, child.call)
    for (const by of [organization.call, stranger.call]) {
      expect(await listed(id, by)).toBeUndefined()
      const lines = [
        `PUT /api/extensions/installed/${id}`,
        `DELETE /api/extensions/installed/${id}`,
      ]
      for (const line of lines) {
        const parts = line.startsWith('PUT') ? { body: {} } : {}
        const other = line.replace(id, crypto.randomUUID())
        const [foreign, missing] = [await by(line, parts), await by(other, parts)]
        expect([foreign.status, foreign.body]).toEqual([404, missing.body])
      }
    }
  })
})

describe('installing is refused', () => {
  const refused = async (body: object) => {
    const answer = await call(INSTALL, { body })
    expect(answer.status).toBe(400)
    return answer.body.message
  }

  test('for unknown fields, with all problems at once', async () => {
    expect(await refused({ additionalData: { colour: 'red', header: 'maybe' } })).toMatch(
      /^additionalData\.colour: unknown field; known: fileUrl, .*; additionalData\.header: must be true or false$/,
    )
  })

  test('for missing catalogs', async () => {
    expect(await refused({ catalog: 'nowhere', catalogFilter: ['elsewhere'] })).toBe(
      'catalogFilter[0]: catalog elsewhere not found; catalog: catalog nowhere not found',
    )
  })

  test('for mappings that no import could use, also by an update', async () => {
    const mappings = [
      { column: 0, field: 'id' },
      { column: 1, field: 'id' },
      { column: 2, field: 'nope' },
    ]
    const refused = await call(INSTALL, { body: { mappings } })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(
        /^mappings\[1\]\.field: id is mapped twice; mappings\[2\]\.field: must be one of/,
      ),
    ])
    const id = await install({ additionalData: values })
    const update = `PUT /api/extensions/installed/${id}`
    expect((await call(update, { body: { mappings } })).status).toBe(400)
    await expectOk(call(update, { body: { mappings: mappings.slice(0, 1) } }))
  })

  test.each<[object, string | RegExp]>([
    [
      { fileType: 'exe' },
      'additionalData.fileType: must be one of csv, tsv, jsonl, xlsx, bmecat, cif',
    ],
    [{ delimiter: ';;' }, 'additionalData.delimiter: must be one ASCII character'],
    [{ delimiter: 'semicolon' }, /^additionalData\.delimiter: /],
    [{ quoteChar: '„' }, 'additionalData.quoteChar: must be one ASCII character'],
    [{ delimiter: '"' }, 'additionalData.quoteChar: must differ from the delimiter'],
    [{ fileType: 'tsv', quoteChar: 'tab' }, /^additionalData\.quoteChar: must differ/],
    [{ sheet: 'x'.repeat(300) }, /^additionalData\.sheet: /],
    [{ fileUrl: 'http://169.254.169.254/latest' }, /^additionalData\.fileUrl: .*OUTBOUND_ALLOW/],
    [{ fileUrl: 'ftp://a.example/p.csv' }, /^additionalData\.fileUrl: /],
    [
      { fileUrl: `http://localhost:3000/api/files/${'0'.repeat(32)}` },
      /^additionalData\.fileUrl: the file does not exist/,
    ],
    [{ fileType: 'exe', delimiter: '' }, /^additionalData\.fileType: [^;]*$/],
    [{ fileType: 'exe', delimiter: '::' }, /fileType: [^;]*; additionalData\.delimiter: /],
  ])('for a file with %j, also by an update and by validation', async (wrong, text) => {
    const message = await refused({ additionalData: wrong })
    expect(message).toMatch(text)
    const tried = await call('POST /api/extensions/available/file/validate', {
      body: { additionalData: wrong },
    })
    expect(tried.body).toMatchObject({ success: false, error: message })
    const id = await install({})
    const line = `PUT /api/extensions/installed/${id}`
    const answer = await call(line, { body: { additionalData: wrong } })
    expect([answer.status, answer.body.message]).toEqual([400, message])
    await expectOk(call(line, { body: { additionalData: { createProducts: 'false' } } }))
  })

  test('for file settings that contradict its other settings', async () => {
    const id = await install({ additionalData: { ...values, delimiter: ';' } })
    const line = `PUT /api/extensions/installed/${id}`
    const answer = await call(line, { body: { additionalData: { quoteChar: ';' } } })
    expect(answer.body.message).toBe('additionalData.quoteChar: must differ from the delimiter')
    await expectOk(call(line, { body: { additionalData: { quoteChar: ';', delimiter: '' } } }))
  })

  test('for values that every export run would refuse', async () => {
    const http = 'POST /api/extensions/available/http/install'
    const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='
    const url = 'https://erp.example/products'
    const told = async (request: string, additionalData: object) =>
      (await call(request, { body: { additionalData } })).body
    expect(await told(http, { url, secret, pageSize: '5000' })).toMatchObject({
      message: expect.stringMatching(/^additionalData\.pageSize: /),
    })
    expect((await told(http, { url: 'http://127.0.0.1/', secret })).message).toMatch(/Data\.url: /)
    expect((await told(http, { url, secret: 'mine' })).message).toMatch(/Data\.secret: /)
    const { id } = await told(http, { url, secret })
    const update = `PUT /api/extensions/installed/${id}`
    expect((await told(update, { search: '{' })).message).toMatch(/Data\.search: /)
    expect(await told(update, { pageSize: '50' })).toMatchObject({ success: true })
  })

  test('for another extensionLevel', async () => {
    expect(await refused({ extensionLevel: 'galaxy' })).toContain('extensionLevel')
  })

  test('for editors', async () => {
    const editor = await organization.as('editor')
    expect((await editor(INSTALL, { body: {} })).status).toBe(403)
  })

  test('above the organization’s number of installations', async () => {
    const { call } = await newOrganization(service)
    for (let done = 0; done < 95; done += 5) {
      await Promise.all(Array.from({ length: 5 }, () => expectOk(call(INSTALL, { body: {} }))))
    }
    const last = await Promise.all(Array.from({ length: 10 }, () => call(INSTALL, { body: {} })))
    expect(last.map(({ status }) => status).toSorted()).toEqual([
      ...Array(5).fill(200),
      ...Array(5).fill(400),
    ])
  })

  test('above the organization’s total size of installations', async () => {
    const { call } = await newOrganization(service)
    const mappings = Array.from({ length: 1_900 }, (_, column) => ({
      column,
      field: 'attribute',
      attribute: `${column} ${'x'.repeat(190)}`,
    }))
    const size = Buffer.byteLength(JSON.stringify(mappings))
    const fitting = Math.floor(limits.installationBytes / size)
    const ids: string[] = []
    for (let at = 0; at < fitting; at++) {
      ids.push((await expectOk(call(INSTALL, { body: { mappings } }))).body.id)
    }
    const small = (await expectOk(call(INSTALL, { body: {} }))).body.id
    const message = expect.stringContaining('shorten them, or uninstall others')
    const refused = { status: 400, body: { message } }
    expect(await call(INSTALL, { body: { mappings } })).toMatchObject(refused)
    const update = (id: string, body: object) =>
      call(`PUT /api/extensions/installed/${id}`, { body })
    expect(await update(small, { mappings, enabled: false })).toMatchObject(refused)
    const listed = (await expectOk(call('GET /api/extensions/installed'))).body
    const kept = listed.find(({ id }: { id: string }) => id === small)
    expect(kept).toMatchObject({ enabled: true, mappings: [] })
    await expectOk(update(ids[0]!, { mappings: [] }))
    await expectOk(update(small, { mappings }))
  })
})

describe('Validate Extension', () => {
  const LINE = 'POST /api/extensions/available/file/validate'

  test('returns problems and writes nothing', async () => {
    const { call } = await newOrganization(service)
    const before = (await call('GET /api/extensions/installed')).body
    const { body } = await call(LINE, { body: { additionalData: { colour: 'red' } } })
    expect(body).toMatchObject({
      success: false,
      problems: [{ field: 'additionalData.colour' }],
    })
    const old = await call(LINE, { version: '1.0', body: { additionalData: { colour: 'red' } } })
    expect(old.body).toMatchObject({ success: false, id: null, taskId: null })
    expect((await call('GET /api/extensions/installed')).body).toEqual(before)
  })
})
