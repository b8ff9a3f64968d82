import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  AnyExtension,
  ExportExtension,
  ExtensionKind,
  ImportExtension,
} from '../../src/extensions/contract.ts'
import { remoteExtension } from '../../src/extensions/remote.ts'
import type { RealtimeResponse } from '../../src/extensions/schemas.ts'
import { limits } from '../../src/limits.ts'
import type { Context } from '../../src/operation.ts'
import { createAdmission } from '../../src/platform/admission.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { json, startRemote, type TestRemote } from '../support/remote.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

let remote: TestRemote
beforeAll(async () => {
  remote = await startRemote({})
})
afterAll(() => remote.close())

const extension = (kind: ExtensionKind, calls: AnyExtension['manifest']['calls'] = ['run']) =>
  remoteExtension(
    {
      id: 'oakvale',
      kind,
      name: 'Oakvale',
      description: null,
      image: null,
      configUrl: null,
      fields: [],
      calls,
      noStore: false,
      mapToVendor: false,
      allowAdHocItems: false,
    },
    { name: 'Oakvale', url: remote.url, fields: [], secret: () => SECRET },
  )

const product = (id: string) => ({
  id,
  catalog: 'tools',
  manufacturer: 'Drakesmoor',
  manufacturerPartNumber: 'DS18-040',
  vendorPartNumber: 'OV-77',
  upcs: [],
  name: null,
})

const installed = {
  id: 'i-1',
  organization: 'acme',
  vendor: 'Oakvale Supply',
  vendors: 'one' as const,
  catalog: null,
  name: 'Oakvale',
  fields: { account: '1001' },
}

/** A call as an operation makes it, to be answered within `ms`. */
const call = (ms = 2_000) => ({
  ctx: {
    outbound: createOutbound({ allow: '127.0.0.1' }),
    clock: { now: () => new Date() },
    signal: AbortSignal.timeout(ms),
    organization: { id: 'acme' },
    requests: createAdmission({ capacity: limits.requestPlaces, waiting: 0, what: 'requests' }),
  } as unknown as Context,
  installed,
  request: { additionalFields: {}, products: [product('D-100')], workspace: null },
})

const run = (kind: ExtensionKind, ms?: number) =>
  extension(kind).run(call(ms) as never) as Promise<unknown>

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (answer) => `no failure: ${JSON.stringify(answer)}`,
    (error: Error) => error.message,
  )

describe('a call to a remote extension', () => {
  test('contains the installation and the request, and is signed', async () => {
    remote.answers((response) => json(response, { items: [] }))
    await run('realtime')
    const { path, headers, body } = remote.received.at(-1)!
    expect(path).toBe('/run')
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual({
      installation: {
        id: 'i-1',
        organization: 'acme',
        vendor: 'Oakvale Supply',
        fields: { account: '1001' },
      },
      request: { additionalFields: {}, products: [product('D-100')], workspace: null },
    })
  })

  test('accepts answers without null or empty fields', async () => {
    remote.answers((response) =>
      json(response, { items: [{ vendorPartNumber: 'OV-77', cost: 1.5, more: 'than is known' }] }),
    )
    expect(await run('realtime')).toEqual({
      error: null,
      success: true,
      items: [
        {
          vendorPartNumber: 'OV-77',
          manufacturerPartNumber: null,
          description: null,
          error: null,
          status: null,
          active: true,
          onHand: null,
          cost: 1.5,
          inStockDate: null,
          warehouses: [],
        },
      ],
    })
  })

  test('accepts times in any format and converts them to UTC', async () => {
    const at = (inStockDate: string) => ({
      inStockDate,
      warehouses: [{ warehouse: 'w', inStockDate }],
    })
    const items = [at('2027-02-01T00:00:00+01:00'), at('2027-02-01T00:00:00Z')]
    remote.answers((response) => json(response, { items }))
    const said = (await run('realtime')) as RealtimeResponse
    const times = said.items.map(({ inStockDate, warehouses }) => [
      inStockDate,
      warehouses[0]!.inStockDate,
    ])
    const [one, other] = ['2027-01-31T23:00:00.000Z', '2027-02-01T00:00:00Z']
    expect(times).toEqual([
      [one, one],
      [other, other],
    ])
  })

  test('keeps the valid items of an answer with an invalid one', async () => {
    const items = [
      { vendorPartNumber: 'a', cost: 1 },
      { vendorPartNumber: 'b', cost: '2' },
      7,
      { vendorPartNumber: 'd', inStockDate: 'soon' },
    ]
    remote.answers((response) => json(response, { items }))
    const said = (await run('realtime')) as RealtimeResponse
    expect(said.items).toMatchObject([
      { vendorPartNumber: 'a', cost: 1, error: null },
      {
        vendorPartNumber: 'b',
        cost: null,
        error: 'The response is invalid: items[1].cost: expected number, received string.',
      },
      { vendorPartNumber: null, error: expect.stringContaining('items[2]: expected object') },
      { vendorPartNumber: 'd', error: expect.stringContaining('items[3].inStockDate: Invalid') },
    ])
  })

  test('accepts a match without empty fields and without the requested catalog', async () => {
    const matchedProducts = [{ productId: 'D-100', score: 1 }]
    remote.answers((response) => json(response, { matchedProducts }))
    expect(await run('recommendation')).toMatchObject({ matchedProducts: [{ scorer: '' }] })
    remote.answers((response) => json(response, { products: [{ id: 'D-100' }] }))
    expect(await run('export')).toMatchObject({ products: [{ id: 'D-100', catalog: 'tools' }] })
    remote.answers((response) => json(response, { links: [{ acId: 'D-100', externalId: '1' }] }))
    const { links } = extension('export', ['run', 'links']) as ExportExtension
    expect(await links!({ ...call(), request: { products: [product('D-100')] } })).toEqual({
      links: [
        { type: 'i-1', acId: 'D-100', acCatalog: 'tools', externalId: '1', link: null, user: null },
      ],
    })
  })

  test.each(['realtime', 'recommendation', 'export'] as const)(
    'gets a message if the answer contains only a failure, a %s',
    async (kind) => {
      remote.answers((response) => json(response, { success: false }))
      expect(await run(kind)).toMatchObject({
        success: false,
        error: 'It reported a failure without a reason.',
      })
    },
  )

  test('is not successful if the answer contains an error', async () => {
    remote.answers((response) => json(response, { success: true, error: 'unknown account' }))
    expect(await run('recommendation')).toMatchObject({ success: false, error: 'unknown account' })
    remote.answers((response) => json(response, { error: 'e'.repeat(60_000) }))
    expect(await run('export')).toMatchObject({ success: false, error: 'e'.repeat(2_000) })
  })
})

type Behaviour = (response: ServerResponse) => void
const html: Behaviour = (response) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Login</h1>')
const raw =
  (text: string): Behaviour =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)

/** Sends data without end, as fast as it is read. */
const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => clearInterval(timer))
}

describe('an invalid answer of a remote extension fails the call with a path and a reason', () => {
  test.each<[string, ExtensionKind, Behaviour, string]>([
    ['500', 'realtime', (r) => r.writeHead(500).end('boom'), 'Oakvale responded with status 500.'],
    ['404', 'export', (r) => r.writeHead(404).end(), 'Oakvale responded with status 404.'],
    ['204', 'export', (r) => r.writeHead(204).end(), 'Oakvale responded with status 204.'],
    ['HTML', 'realtime', html, 'Oakvale responded with text/html instead of application/json.'],
    [
      'a redirect',
      'realtime',
      (r) => r.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'Oakvale sent no usable response: The response is a redirect, which is not followed.',
    ],
    [
      'garbage',
      'realtime',
      raw('{"items": ['),
      'Oakvale sent an invalid response: answer: not valid JSON',
    ],
    ['null', 'realtime', raw('null'), 'Oakvale sent an invalid response: answer: expected object'],
    [
      'bytes',
      'realtime',
      raw('\u0000'),
      'Oakvale sent an invalid response: answer: not valid JSON',
    ],
    [
      'another type',
      'realtime',
      raw('{"items":{"cost":12}}'),
      'Oakvale sent an invalid response: answer.items: expected array, received object',
    ],
    [
      'no number at all',
      'recommendation',
      raw('{"matchedProducts":[{"productId":"a","scorer":"b","score":1e999}]}'),
      'Oakvale sent an invalid response: answer.matchedProducts[0].score: expected number',
    ],
    [
      'control characters',
      'recommendation',
      raw('{"products":["a\\u0000b"]}'),
      'Oakvale sent an invalid response: answer.products[0]: control characters',
    ],
    [
      'deep nesting',
      'realtime',
      raw(`{"items":${'['.repeat(100)}${']'.repeat(100)}}`),
      'nested deeper than 32',
    ],
    [
      'another product',
      'export',
      raw('{"products":[{"id":"D-100","catalog":"tools"},{"id":"X","catalog":"tools"}]}'),
      'Oakvale sent an invalid response: products[1]: was not requested',
    ],
    [
      'a script as an address',
      'export',
      raw('{"redirectUrl":"javascript:alert(1)"}'),
      'Oakvale sent an invalid response: answer.redirectUrl: must be an http or https URL',
    ],
    [
      'a name that is too long for a link',
      'export',
      raw(`{"products":[{"id":"D-100","catalog":"tools","externalId":"${'E'.repeat(300)}"}]}`),
      'Oakvale sent an invalid response: answer.products[0].externalId: Too big',
    ],
    [
      'a list of too many entries',
      'recommendation',
      raw(JSON.stringify({ matchedProducts: Array(5_001).fill({}) })),
      'Oakvale sent an invalid response: answer.matchedProducts: has more than 5000 entries',
    ],
    [
      'without end',
      'realtime',
      endless,
      'Oakvale sent no usable response: The response is too large.',
    ],
    ['a hang', 'realtime', () => undefined, 'Oakvale did not respond in time.'],
    ['a drip', 'realtime', drip, 'Oakvale did not respond in time.'],
    [
      'a closed connection',
      'realtime',
      (r) => r.destroy(),
      'Oakvale sent no usable response: The response is incomplete or not HTTP.',
    ],
  ])('%s', async (name, kind, behaviour, text) => {
    remote.answers(behaviour)
    const waits = name === 'a hang' || name === 'a drip'
    const failure = await failureOf(run(kind, waits ? 500 : 5_000))
    expect(failure).toContain(text)
    expect(failure.length).toBeLessThanOrEqual(limits.valueLength)
  })
})

async function textOf(lines: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of lines) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('other calls to a remote extension', () => {
  test('validate returns problems, and a preview of an import', async () => {
    const preview = { created: 1, updated: 0, unchanged: 0, rejected: 1 }
    remote.answers((response) => json(response, { preview }))
    const { validate } = extension('import', ['run', 'validate'])
    const request = { mappings: [] }
    expect(await validate!({ ...call(), request })).toEqual({
      problems: [],
      preview: { ...preview, rejects: [] },
    })
    expect(remote.received.at(-1)!.path).toBe('/validate')
  })

  test('options receive the selected values and the typed text', async () => {
    remote.answers((response) => json(response, { options: [{ value: 'nl', display: 'NL' }] }))
    const { options } = extension('export', ['run', 'options'])
    const request = { field: 'country', additionalData: { region: 'eu' }, search: 'n' }
    expect(await options!({ ...call(), request })).toEqual({
      error: null,
      success: true,
      options: [{ value: 'nl', display: 'NL', default: false }],
    })
    expect(JSON.parse(remote.received.at(-1)!.body).request).toEqual(request)
  })

  test('sample returns columns', async () => {
    remote.answers((response) => json(response, { columns: [['sku', 'D-1']] }))
    const { sample } = extension('import', ['run', 'sample']) as ImportExtension
    expect(await sample!({ ...call(), request: {} })).toEqual({
      columns: [['sku', 'D-1']],
      mappings: [],
      detected: null,
    })
  })

  test.each<[string, object]>([
    ['mappings', { column: 1, field: 'id', confidence: 1 }],
    ['mappings[0].confidence', { column: 0, field: 'id', confidence: 50 }],
  ])('sample maps only columns that exist: %s', async (place, mapping) => {
    remote.answers((response) => json(response, { columns: [['sku']], mappings: [mapping] }))
    const { sample } = extension('import', ['run', 'sample']) as ImportExtension
    const text = await failureOf(sample!({ ...call(), request: {} }))
    expect(text).toContain(`Oakvale sent an invalid response: answer.${place}: `)
  })

  test('calls that the manifest does not list are not made', () => {
    const { validate, options } = extension('realtime')
    expect([validate, options]).toEqual([undefined, undefined])
  })

  test('links are limited to the requested products', async () => {
    const link = { type: 'item', acId: 'X', acCatalog: 'tools', externalId: '1' }
    remote.answers((response) => json(response, { links: [link] }))
    const { links } = extension('export', ['run', 'links']) as ExportExtension
    const request = { products: [product('D-100')] }
    expect(await failureOf(links!({ ...call(), request }))).toBe(
      'Oakvale sent an invalid response: links[0]: was not requested',
    )
  })

  test('links are limited to addresses for browsers', async () => {
    const link = { type: 'item', acId: 'D-100', acCatalog: 'tools', externalId: '1' }
    remote.answers((response) => json(response, { links: [{ ...link, link: 'javascript:1' }] }))
    const { links } = extension('export', ['run', 'links']) as ExportExtension
    const request = { products: [product('D-100')] }
    expect(await failureOf(links!({ ...call(), request }))).toBe(
      'Oakvale sent an invalid response: answer.links[0].link: must be an http or https URL',
    )
  })

  test.each(['validate', 'sample', 'links'] as const)(
    '%s can fail with a message of its own',
    async (name) => {
      remote.answers((response) => json(response, { error: 'We are closed.' }))
      const kind = name === 'links' ? 'export' : 'import'
      const functions = extension(kind, ['run', name]) as ImportExtension & ExportExtension
      const request = { products: [], mappings: [] }
      const answer = functions[name]!({ ...call(), request } as never)
      expect(await failureOf(answer)).toBe('Oakvale failed: We are closed.')
      remote.answers((response) => json(response, { success: false }))
      const again = functions[name]!({ ...call(), request } as never)
      expect(await failureOf(again)).toBe('Oakvale failed: no reason given.')
    },
  )
})

describe('an import by a remote extension', () => {
  const source = () => (extension('import') as ImportExtension).run({ ...call(), request: null })

  test('can be answered with the address of a file', async () => {
    remote.answers((response) => json(response, { fileUrl: 'https://a.example/list.csv' }))
    expect(await source()).toEqual({ request: { fileUrl: 'https://a.example/list.csv' } })
  })

  test('can be answered with the products themselves', async () => {
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"id":"D-1"}\n')
      response.end('{"id":"D-2"}\n')
    })
    const { request, lines } = await source()
    expect(request).toEqual({ fileType: 'jsonl' })
    expect(await textOf(lines!)).toBe('{"id":"D-1"}\n{"id":"D-2"}\n')
  })

  test.each([0, 1])('releases the connection after %d lines were read', async (read) => {
    let isGone = false
    remote.answers((response) => {
      response.on('close', () => {
        isGone = true
      })
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write('{"id":"D-1"}\n')
    })
    const { lines } = await source()
    for (let n = 0; n < read; n++) await lines!.next()
    await lines!.return(undefined)
    await expect.poll(() => isGone).toBe(true)
  })

  test('fails at the point where the stream is cut off', async () => {
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl', 'content-length': 99 })
      response.write('{"id":"D-1"}\n', () => response.destroy())
    })
    const { lines } = await source()
    expect(await failureOf(textOf(lines!))).toContain('Oakvale sent no usable response')
  })

  test.each<[string, Behaviour, string]>([
    ['HTML', html, 'responded with text/html'],
    ['500', (r) => r.writeHead(500).end(), 'responded with status 500.'],
    ['JSON without end', endless, 'The response is too large.'],
    ['a list', raw('[]'), 'answer: expected record'],
    ['its own words', raw('{"error":"We are closed."}'), 'Oakvale failed: We are closed.'],
  ])('with %s is refused', async (_, behaviour, text) => {
    remote.answers(behaviour)
    expect(await failureOf(source())).toContain(text)
  })
})
