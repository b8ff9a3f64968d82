import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { outcome } from '../support/organizations.ts'
import { startService, type TestService } from '../support/service.ts'

interface Signer {
  readonly id: string
  readonly key: string
}

let service: TestService
let org: TestOrganization
let catalog: string
let signer: Signer
/** The example in docs/interface.md. */
let signedKey: (signer: Signer, bounds: object) => string

beforeAll(async () => {
  const manual = await readFile('docs/interface.md', 'utf8')
  const [, example] = /^```js\n(.*?signedKey.*?)^```$/ms.exec(manual)!
  const file = join(await mkdtemp(join(tmpdir(), 'aisle-example-')), 'signed-key.mjs')
  await writeFile(file, example!)
  signedKey = (await import(file)).signedKey
  service = await startService()
  org = await newOrganization(service)
  const tagged = (...tags: string[]) => ({ annotations: { [org.id]: { tags } } })
  catalog = await seedCatalog(service, org, [
    { id: 'a', name: 'Anvil', manufacturer: 'Forge', segment: 'Gold', ...tagged('shop') },
    { id: 'b', name: 'Bellows', manufacturer: 'Forge', ...tagged('shop') },
    { id: 'c', name: 'Chisel', manufacturer: 'Chip', segment: 'Gold' },
  ])
  signer = await newSigner({ filter: { must: [{ type: 'tag', value: 'shop' }] } })
})

async function newSigner(body: object): Promise<Signer> {
  const wanted = { name: 'signer', keyType: 'search', ...body }
  return (await expectOk(org.call('POST /api/KeyAuth/keys', { body: wanted }))).body
}

const search = (key: string, headers: Record<string, string> = {}) =>
  caller(service, { key })(`POST /api/search?catalog=${catalog}`, { body: {}, headers })

async function idsWith(bounds: object, by: Signer = signer): Promise<string[]> {
  const { body } = await expectOk(search(signedKey(by, bounds)))
  return body.products.map(({ id }: { id: string }) => id)
}

const GOLD = { filter: { segment: 'Gold' } }

/** Another base64 text of the same signature. */
const sameBytes = (key: string) =>
  key.slice(0, -1) + String.fromCharCode(key.charCodeAt(key.length - 1) + 1)

const NOT_VALID = [401, expect.stringMatching(/^The signed key is not valid: it was modified/)]

describe('A signed key', () => {
  test('narrows the key that signs it, and widens nothing', async () => {
    expect(await idsWith({})).toEqual(['a', 'b'])
    expect(await idsWith(GOLD)).toEqual(['a'])
    expect(await idsWith({ filter: null, catalogs: [catalog], validUntil: null })).toEqual([
      ...['a', 'b'],
    ])
    const elsewhere = await search(signedKey(signer, { catalogs: ['elsewhere'] }))
    expect(outcome(elsewhere)).toEqual([404, 'Catalog not found.'])
    const narrow = await newSigner({ catalogs: [catalog], hide: ['msrp'] })
    const other = await seedCatalog(service, org, [{ id: 'o', name: 'Oboe' }])
    const key = signedKey(narrow, { catalogs: [catalog, other], hide: [] })
    const call = caller(service, { key })
    expect((await call(`GET /api/Catalog/${other}/products/o`)).status).toBe(404)
    expect((await call('POST /api/search', { body: { sort: 'price' } })).status).toBe(403)
    expect((await call('POST /api/search', { body: {} })).body.total).toBe(3)
  })

  test('expires at its time, and with the key that signed it', async () => {
    const late = signedKey(signer, { validUntil: '2026-01-01T00:00:00Z' })
    expect(outcome(await search(late))).toEqual([
      401,
      'The signed key expired at 2026-01-01T00:00:00Z. Sign a new one.',
    ])
    const ended = await newSigner({})
    const key = signedKey(ended, { validUntil: '2099-01-01T00:00:00Z' })
    expect((await search(key)).status).toBe(200)
    await expectOk(org.call(`DELETE /api/KeyAuth/keys/${ended.id}`))
    expect(outcome(await search(key))).toEqual(NOT_VALID)
  })

  test('is cached no longer than it is valid', async () => {
    const cached = await newSigner({ cache: { maxAge: 600, staleWhileRevalidate: 600 } })
    const ages = async (validUntil: string | null) => {
      const call = caller(service, { key: signedKey(cached, { validUntil }) })
      const { headers } = await expectOk(call(`GET /api/search?catalog=${catalog}`))
      return [...headers.get('cache-control')!.matchAll(/=(\d+)/g)].map(([, age]) => Number(age))
    }
    expect(await ages(null)).toEqual([600, 600])
    const [maxAge, ...stale] = await ages(new Date(Date.now() + 60_000).toISOString())
    expect(maxAge).toBeLessThanOrEqual(60)
    expect(stale).toEqual([])
  })

  test('returns 401 if it was modified or signed by the wrong key', async () => {
    const key = signedKey(signer, GOLD)
    const [text, signature] = key.split('.') as [string, string]
    const wider = Buffer.from(JSON.stringify({ keyId: signer.id })).toString('base64url')
    const stranger = await newOrganization(service)
    const { body: full } = await expectOk(org.call('POST /api/KeyAuth/keys', { body: {} }))
    const foreign = { id: signer.id, key: await stranger.key('viewer', 'search') }
    const nobody = { id: crypto.randomUUID(), key: signer.key }
    const wrong = [
      `aisle_signed_${wider}.${signature}`,
      `${text}.${'A'.repeat(43)}`,
      `${text}.${signature.slice(1)}`,
      sameBytes(key),
      text,
      `aisle_signed_${Buffer.from('{"keyId"').toString('base64url')}.${signature}`,
      signedKey(full, {}),
      signedKey(foreign, {}),
      signedKey(nobody, {}),
      signedKey({ id: signer.id, key }, {}),
    ]
    for (const one of wrong)
      expect([one, ...outcome(await search(one))]).toEqual([one, ...NOT_VALID])
    expect(
      outcome(await search(`${text}${'A'.repeat(limits.signedKeyLength)}.${signature}`)),
    ).toEqual([
      401,
      expect.stringMatching(/^A signed key has at most 4096 characters, but this one has \d+/),
    ])
  })

  test.each([
    [
      { filter: { must: [{ type: 'colour', value: 'red' }] } },
      /^signed key\.filter\.must\[0\]\.type: expected one of/,
    ],
    [{ filter: 'tag = shop' }, /^signed key\.filter: expected object/],
    [
      { filter: { must: [{ type: 'facet', value: 'red' }] } },
      /^signed key\.filter\.must\[0\]\.name: required/,
    ],
    [{ filters: {} }, /^signed key\.filters: unknown field; did you mean "filter"/],
    [{ hide: ['vendors.price'] }, /^signed key\.hide\[0\]: must be one of vendors.vendorName/],
    [
      { filter: { exclude: [{ type: 'tag', value: 'gold' }] } },
      /^signed key\.filter: criteria of type tag are not allowed; add them/,
    ],
    [{ filter: { segment: 'a\u0000b' } }, /^signed key\.filter\.segment: control characters/],
    [{ userToken: 'a\ud800b' }, /^signed key\.userToken: unpaired surrogates/],
    [{ validUntil: 'tomorrow' }, /^signed key\.validUntil: /],
    [{ rate: { perSecond: 0 } }, /^signed key\.rate\.perSecond: /],
  ])('with %j returns 400 and the path', async (bounds, message) => {
    const answer = await search(signedKey(signer, bounds))
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
  })

  test('can only search, and is accepted from pages of its origins and its key’s only', async () => {
    const page = await newSigner({ origins: ['https://a.example', 'https://b.example'] })
    const key = signedKey(page, { origins: ['https://b.example', 'https://c.example'] })
    expect((await search(key, { origin: 'https://b.example' })).status).toBe(200)
    expect((await search(key, { referer: 'https://b.example/shop?q=1' })).status).toBe(200)
    expect((await search(key)).status).toBe(200)
    for (const headers of [{ origin: 'https://a.example' }, { referer: 'https://c.example/' }]) {
      const refused = await search(key, headers as never)
      expect(outcome(refused)).toEqual([403, 'The key is not valid for the origin of this page.'])
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
    const keys = await caller(service, { key })('GET /api/KeyAuth/keys')
    expect(keys.status).toBe(403)
  })
})

describe('The rate of a key', () => {
  let frozen: TestService
  beforeAll(async () => {
    const now = new Date()
    frozen = await startService({ idle: true, clock: { ...systemClock, now: () => now } })
  })

  const statuses = async (key: string, times: number, address = '192.0.2.1') => {
    const request = () =>
      new Request(`http://localhost/api/search/count?catalog=${catalog}`, {
        method: 'POST',
        headers: {
          ...{ 'x-api-version': '6.0', 'x-api-key': key, 'content-type': 'application/json' },
        },
        body: '{}',
      })
    const answers = await Promise.all(
      Array.from({ length: times }, () => frozen.fetch(request(), address)),
    )
    return answers.map(({ status }) => status)
  }
  const passed = (all: readonly number[]) => all.filter((status) => status === 200).length

  test('limits each address and all together', async () => {
    const { key } = await newSigner({ rate: { perSecond: 3, perAddress: 1 } })
    const first = await statuses(key, 6)
    expect(new Set(first)).toEqual(new Set([200, 429]))
    expect(passed(first)).toBe(limits.rateSeconds)
    for (const address of ['192.0.2.2', '192.0.2.3']) {
      expect(passed(await statuses(key, 6, address))).toBe(limits.rateSeconds)
    }
    expect(passed(await statuses(key, 1, '192.0.2.4'))).toBe(0)
  })

  test('of a signed key applies to its user token, whatever else it contains', async () => {
    const by = await newSigner({})
    const keyFor = (userToken: string, more: object = {}) =>
      signedKey(by, { userToken, rate: { perSecond: 1 }, ...more })
    expect(passed(await statuses(keyFor('ann'), limits.rateSeconds))).toBe(limits.rateSeconds)
    expect(passed(await statuses(keyFor('ann', { hide: ['links'] }), 1))).toBe(0)
    expect(passed(await statuses(keyFor('bob'), limits.rateSeconds))).toBe(limits.rateSeconds)
  })

  test('and that of its address apply to refused requests too, even with a valid key', async () => {
    let ms = Date.now()
    const rates = { byAddress: 10, byKey: 2 }
    const limited = await startService({
      idle: true,
      rates,
      clock: { ...systemClock, now: () => new Date(ms) },
    })
    const ask = async (times: number, address: string, headers: Record<string, string>) => {
      const seen: number[] = []
      for (let at = 0; at < times; at++) {
        const request = new Request(`http://localhost/api/search?catalog=${catalog}`, { headers })
        seen.push((await limited.fetch(request, address)).status)
      }
      return [...new Set(seen)]
    }
    const most = rates.byAddress * limits.rateSeconds + 1
    const version = { 'x-api-version': '6.0' }

    const by = await newSigner({ origins: ['https://shop.example'] })
    const key = { ...version, 'x-api-key': by.key }
    expect(await ask(1, '192.0.2.1', key)).toEqual([200])
    const elsewhere = { ...key, origin: 'https://elsewhere.example' }
    expect(await ask(most, '192.0.2.1', elsewhere)).toEqual([403, 429])

    const other = await newSigner({})
    const two = { ...version, 'x-api-key': other.key, authorization: `Bearer ${by.key}` }
    expect(await ask(1, '192.0.2.2', { ...version, 'x-api-key': other.key })).toEqual([200])
    expect(await ask(most, '192.0.2.2', two)).toEqual([400, 429])

    const validUntil = new Date(ms + 60_000).toISOString()
    const signed = { ...version, 'x-api-key': signedKey(other, { validUntil }) }
    expect(await ask(1, '192.0.2.3', signed)).toEqual([200])
    ms += 120_000
    expect(await ask(most, '192.0.2.3', signed)).toEqual([401, 429])
    await limited.stop()
  })
})
