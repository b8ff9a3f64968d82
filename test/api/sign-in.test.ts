import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { createLog } from '../../src/platform/log.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import type { ServiceParts } from '../../src/service.ts'
import { type SignInTexts, signInSettings } from '../../src/sign-in/settings.ts'
import {
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { type Accounts, CLIENT, startIssuer, type TestIssuer } from '../support/issuer.ts'
import { withProbes } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

/** People who sign in at a real OpenID provider, whose tokens are sent in place of keys. */
const accounts: Accounts = {}
const lines: string[] = []
const log = createLog('trace', { write: (line) => void lines.push(line) })
/** Milliseconds that the service's clock is ahead of the issuer's. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

let issuer: TestIssuer
let service: TestService
let org: TestOrganization

/** A service that accepts tokens of the issuer, and has not fetched its keys yet. */
const trusting = (
  texts: Partial<SignInTexts> = {},
  parts: Partial<Pick<ServiceParts, 'clock' | 'rates'>> = {},
) =>
  startService({
    idle: true,
    clock,
    log,
    ...parts,
    outbound: createOutbound({ allow: '127.0.0.1' }),
    signIn: signInSettings({
      issuer: issuer.name,
      clientId: CLIENT,
      audience: undefined,
      scope: 'openid',
      rolesClaim: 'roles',
      roles: undefined,
      users: 'create',
      ...texts,
    })!,
  })

const probed = new Map<TestService, ReturnType<typeof withProbes>>()

const as = (token: string, at: TestService = service) => {
  const probes = probed.get(at) ?? withProbes(at)
  probed.set(at, probes)
  return caller(probes, { key: token })
}

beforeAll(async () => {
  issuer = await startIssuer(accounts)
  service = await trusting()
  org = await newOrganization(service)
})
afterAll(async () => {
  await service?.stop()
  await issuer?.stop()
})
beforeEach(() => {
  ahead = 0
})

describe('a person who signs in', () => {
  test('works with their token by the rights of their role, and becomes a user', async () => {
    accounts.ada = { roles: [`${org.id}:editor`], preferred_username: 'ada', name: 'Ada' }
    const token = await issuer.signIn('ada')
    const ada = as(token)
    const { body } = await expectOk(ada('GET /api/probe'))
    expect(body.caller).toMatchObject({ role: 'editor', keyType: 'full', boundTo: null })
    expect(body.caller.identity).toEqual({
      issuer: issuer.name,
      subject: 'ada',
      organizations: [org.id],
    })
    expect(body.organization.id).toBe(org.id)

    const catalog = { name: 'own', description: '' }
    expect((await ada('POST /api/Catalog', { body: catalog })).status).toBe(403)
    await expectOk(org.call('POST /api/Catalog', { body: catalog }))
    await expectOk(ada('POST /api/Catalog/own/products', { body: { id: 'P-1', name: 'Anvil' } }))
    const { body: changes } = await expectOk(ada('GET /api/Catalog/own/products/P-1/logs'))
    expect(JSON.stringify(changes)).toContain(body.caller.username)

    const { body: details } = await expectOk(org.call('GET /api/organizations/current'))
    expect(details.users).toContainEqual({
      username: body.caller.username,
      role: 'editor',
      firstName: null,
      lastName: null,
    })
    const log = 'GET /api/reporting/audit?operation=Sign in'
    const { items } = (await expectOk(org.call(log))).body
    expect(items).toHaveLength(1)
    const { username } = body.caller
    expect(items[0]).toMatchObject({
      actor: { username, keyId: 'sign-in', identity: { issuer: issuer.name, subject: 'ada' } },
      target: { type: 'user', id: username },
      changes: [
        { field: 'username', from: null, to: username },
        { field: 'role', from: null, to: 'editor' },
      ],
    })
    const { body: reached } = await expectOk(ada('GET /api/organizations'))
    expect(reached.organizations.map(({ id }: { id: string }) => id)).toEqual([org.id])
  })

  test('has the role of each token, while their keys have that of the newest', async () => {
    const now = Math.floor(Date.now() / 1_000)
    const token = (role: string | null, iat: number) =>
      issuer.token({ sub: 'bea', roles: role === null ? [] : [`${org.id}:${role}`], iat })
    const [first, second] = [await token('administrator', now - 9), await token('viewer', now - 5)]
    const made = await expectOk(as(first)('POST /api/KeyAuth/keys', { body: { name: 'mine' } }))
    const withKey = caller(service, { key: made.body.key })
    const change = (call: typeof withKey) =>
      call('PUT /api/organizations/current', { body: { name: org.id } }).then(
        ({ status }) => status,
      )
    expect(await change(withKey)).toBe(200)
    // A token with fewer rights cannot create a key with more.
    const weaker = as(await token('viewer', now - 20))
    expect((await weaker('POST /api/KeyAuth/keys', { body: { name: 'more' } })).status).toBe(403)
    expect(await change(as(second))).toBe(403)
    expect(await change(withKey)).toBe(403)
    // The older token is still valid, but does not restore the former rights.
    expect(await change(as(first))).toBe(200)
    expect(await change(withKey)).toBe(403)
    const all = { body: { name: 'all', allOrganizations: true } }
    expect((await as(first)('POST /api/KeyAuth/keys', all)).status).toBe(403)

    const none = await as(await token(null, now - 4))('GET /api/Catalog')
    expect(none.status).toBe(403)
    expect(none.body.message).toContain('the claim roles')
  })

  test('has no access to other organizations, and access to children of their own', async () => {
    const other = await newOrganization(service)
    const child = await newOrganization(service, org.id)
    const token = await issuer.token({ sub: 'cyd', roles: [`${org.id}:viewer`] })
    const foreign = await as(token)('GET /api/Catalog', { organization: other.id })
    const missing = await as(token)('GET /api/Catalog', { organization: 'nobodys' })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    const { body } = await expectOk(as(token)('GET /api/probe', { organization: child.id }))
    expect(body.caller).toMatchObject({ role: 'viewer', parentRole: 'viewer' })

    const both = await issuer.token({ roles: [`${org.id}:viewer`, `${other.id}:editor`] })
    expect((await as(both)('GET /api/Catalog')).status).toBe(400)
    const there = await expectOk(as(both)('GET /api/probe', { organization: other.id }))
    expect(there.body.caller.role).toBe('editor')
  })

  test('to an organization and to its child is one user in both', async () => {
    const child = await newOrganization(service, org.id)
    const roles = [`${org.id}:viewer`, `${child.id}:editor`]
    const token = await issuer.token({ sub: 'pam', preferred_username: 'pam', roles })
    const at = async (organization: string) =>
      (await expectOk(as(token)('GET /api/probe', { organization }))).body.caller
    const above = await at(org.id)
    expect(above).toMatchObject({ role: 'viewer' })
    expect(await at(child.id)).toMatchObject({ role: 'editor', username: above.username })
  })

  test('at two issuers under the same name is two users', async () => {
    const another = await startIssuer(accounts)
    const both = await trusting({ issuer: `${issuer.name}, ${another.name}` })
    const names = await Promise.all(
      [issuer, another].map(async (one) => {
        const token = await one.token({ sub: 'gus', roles: [`${org.id}:viewer`] })
        const { body } = await expectOk(as(token, both)('GET /api/probe'))
        expect(body.caller.identity.issuer).toBe(one.name)
        return body.caller.username
      }),
    )
    expect(new Set(names).size).toBe(2)
    await both.stop()
    await another.stop()
  })

  test('is an operator only with a claim value that the operator of the service configured', async () => {
    const named = await trusting({
      rolesClaim: 'realm.groups',
      roles: `staff=operator,/shop/all=${org.id}:viewer`,
    })
    const token = (groups: unknown) => issuer.token({ sub: 'dee', realm: { groups } })
    const staff = as(await token(['staff']), named)
    expect((await staff('GET /api/organizations')).status).toBe(200)
    const { body } = await expectOk(staff('GET /api/probe', { organization: org.id }))
    // Operators share a username that no user of an organization can have.
    expect(body.caller).toMatchObject({ role: 'operator', username: 'operator' })
    const guest = as(await token('/shop/all'), named)
    expect((await expectOk(guest('GET /api/probe'))).body.caller.role).toBe('viewer')
    const unnamed = await as(
      await token([`${org.id}:administrator`, 'operator']),
      named,
    )('GET /api/Catalog')
    expect(unnamed.status).toBe(403)
    await named.stop()
  })
})

describe('the user of a person', () => {
  const save = (username: string, role = 'viewer') =>
    expectOk(org.call(`PUT /api/organizations/current/users/${username}`, { body: { role } }))

  test('is found by verified email if configured, and belongs to one subject', async () => {
    const byEmail = await trusting({ users: 'email' })
    await save('eve@shop.example')
    await save('kit@shop.example', 'administrator')
    const token = (sub: string, isVerified = true, email = 'Eve@shop.example') =>
      issuer.token({ sub, email, email_verified: isVerified, roles: [`${org.id}:editor`] })
    const look = async (made: Promise<string>, at = byEmail) => as(await made, at)('GET /api/probe')
    expect((await look(token('eve-1', false))).status).toBe(403)
    expect((await look(token('zoe', true, 'zoe@shop.example'))).status).toBe(403)
    // The Kelvin sign, whose lower case is that of K.
    expect((await look(token('kit-1', true, '\u212Ait@shop.example'))).status).toBe(403)
    const { body } = await look(token('eve-1'))
    expect(body.caller).toMatchObject({ username: 'eve@shop.example', role: 'editor' })
    // A user's address may change, and may be given to somebody else.
    expect((await look(token('eve-1', false))).body.caller.username).toBe('eve@shop.example')
    expect((await look(token('eve-2'))).status).toBe(403)
    // Where users are not identified by address, it is a name like any other.
    const another = await look(token('eve-3'), service)
    expect(another.body.caller.username).toMatch(/^Eve-[0-9a-f]{10}$/)
    await byEmail.stop()
  })

  test('is not identified with a user of the same name in a child, who would get their rights', async () => {
    const byEmail = await trusting({ users: 'email,create' })
    const child = await newOrganization(service, org.id)
    const email = `${child.id}@shop.example`
    const token = (sub: string, role: string) =>
      issuer.token({ sub, email, email_verified: true, roles: [role] })
    const former = as(await token('bob-1', `${child.id}:viewer`), byEmail)
    const { body } = await expectOk(former('GET /api/probe'))
    expect(body.caller.username).toBe(email)
    const made = await expectOk(former('POST /api/KeyAuth/keys', { body: { name: 'mine' } }))
    // The address belongs to somebody else now.
    const next = as(await token('bob-2', `${org.id}:administrator`), byEmail)
    const above = await expectOk(next('GET /api/probe'))
    const withKey = caller(service, { key: made.body.key })
    const renamed = { body: { name: 'mine' } }
    expect((await withKey('PUT /api/organizations/current', renamed)).status).toBe(403)
    expect(above.body.caller.username).not.toBe(email)
    await byEmail.stop()
  })

  test('counts towards the limit on users, and is a new one after removal', async () => {
    const limited = await newOrganization(service)
    const limit = (userLimit: number) =>
      expectOk(
        caller(service, { key: OPERATOR_KEY, organization: limited.id })(
          'PUT /api/organizations/current',
          { body: { userLimit } },
        ),
      )
    const token = await issuer.token({ sub: 'fay', roles: [`${limited.id}:viewer`] })
    await limit(3)
    const refused = await as(token)('GET /api/Catalog')
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain('The user limit is 3')
    await limit(4)
    const all = await Promise.all(Array.from({ length: 5 }, () => as(token)('GET /api/probe')))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { username } = all[0]!.body.caller
    const told = `GET /api/reporting/audit?operation=Sign in&targetId=${username}`
    expect((await expectOk(limited.call(told))).body.items).toHaveLength(1)
    const made = await expectOk(as(token)('POST /api/KeyAuth/keys', { body: { name: 'mine' } }))
    await expectOk(limited.call(`DELETE /api/organizations/current/users/${username}`))
    await expectOk(as(token)('GET /api/Catalog'))
    expect((await caller(service, { key: made.body.key })('GET /api/Catalog')).status).toBe(401)
  })
})

test('only the console gets the identity providers, and may request their tokens', async () => {
  const page = async (path: string, at = service) => {
    const answer = await at.fetch(new Request(`http://localhost${path}`))
    return { status: answer.status, policy: policyOf(answer), body: await answer.text() }
  }
  const policyOf = ({ headers }: Response) => headers.get('content-security-policy')
  const told = JSON.parse((await page('/shop/sign-in.json')).body)
  expect(told).toEqual({
    client: { id: CLIENT, scope: 'openid' },
    audiences: [CLIENT],
    issuers: [
      {
        name: issuer.name,
        endpoints: { authorization: `${issuer.name}/auth`, token: `${issuer.name}/token` },
      },
    ],
  })
  expect(JSON.parse((await page('/shop/settings.json')).body).signIn).toEqual([issuer.name])
  expect((await page('/console')).policy).toContain(`; connect-src 'self' ${issuer.name};`)
  expect((await page('/')).policy).not.toContain('connect-src')

  const [scripts, without] = [
    await trusting({ clientId: undefined, audience: 'api://aisle' }),
    await startService({ idle: true }),
  ]
  for (const at of [scripts, without]) {
    expect((await page('/shop/sign-in.json', at)).status).toBe(404)
    expect(JSON.parse((await page('/shop/settings.json', at)).body).signIn).toBeUndefined()
    expect((await page('/console', at)).policy).not.toContain('connect-src')
    await at.stop()
  }
})

describe('a token', () => {
  const status = async (token: string, at = service) =>
    (await as(token, at)('GET /api/Catalog')).status

  test('is refused if the issuer made it for others, or did not make it', async () => {
    const roles = [`${org.id}:administrator`]
    expect(await status(await issuer.token({ roles }))).toBe(200)
    const calls = issuer.keyCalls()
    const now = Math.floor(Date.now() / 1_000)
    const [header, payload, signature] = (await issuer.token({ roles })).split('.')
    const text = (said: object) => Buffer.from(JSON.stringify(said)).toString('base64url')
    const [key] = issuer.keys
    const signed = `${text({ alg: 'HS256', kid: key!.kid })}.${payload}`
    const hmac = createHmac('sha256', JSON.stringify(key)).update(signed).digest('base64url')
    const wrong = {
      audience: await issuer.token({ roles, aud: 'another-page' }),
      issuer: await issuer.token({ roles, iss: `${issuer.name}/other` }),
      expired: await issuer.token({ roles, iat: now - 900, exp: now - 60 }),
      early: await issuer.token({ roles, nbf: now + 60 }),
      future: await issuer.token({ roles, iat: now + 60 }),
      endless: await issuer.token({ roles, exp: undefined }),
      nobody: await issuer.token({ roles, sub: '' }),
      signOut: await issuer.token({ roles }, { typ: 'logout+jwt' }),
      unsigned: `${text({ alg: 'none' })}.${payload}.`,
      hmac: `${signed}.${hmac}`,
      changed: `${header}.${text({ iss: issuer.name, aud: CLIENT, sub: 'ada', roles })}.${signature}`,
      torn: `${header}.${payload}`,
      long: await issuer.token({ roles, name: 'n'.repeat(limits.tokenLength) }),
    }
    for (const [name, token] of Object.entries(wrong)) expect(await status(token), name).toBe(401)
    expect(issuer.keyCalls()).toBe(calls)
    // The clocks may differ slightly.
    expect(await status(await issuer.token({ roles, iat: now - 300, exp: now - 5 }))).toBe(200)
    const elsewhere = await startService({ idle: true })
    expect(await status(await issuer.token({ roles }), elsewhere)).toBe(401)
    await elsewhere.stop()
  })

  test('signed by an unusable key is refused, and the log names its subject', async () => {
    const answers: Record<string, object> = {}
    const server = createServer(({ url }, response) => response.end(JSON.stringify(answers[url!])))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    answers['/.well-known/openid-configuration'] = { issuer: name, jwks_uri: `${name}/keys` }
    answers['/keys'] = { keys: [{ kty: 'RSA', kid: 'short', n: 'AQAB', e: 'AQAB' }] }
    const weak = await trusting({ issuer: name })
    const text = (said: object) => Buffer.from(JSON.stringify(said)).toString('base64url')
    lines.length = 0
    const token = `${text({ alg: 'RS256', kid: 'short' })}.${text({ iss: name })}.c2ln`
    expect(await status(token, weak)).toBe(401)
    expect(lines.join('')).toContain(`"issuer":"${name}"`)
    await weak.stop()
    server.close()
  })

  test('signed by an unknown key makes the service ask the issuer once, and is accepted if the key is new', async () => {
    const roles = [`${org.id}:viewer`]
    const known = await issuer.token({ roles })
    expect(await status(known)).toBe(200)
    const calls = issuer.keyCalls()
    ahead = limits.issuerRestMs
    const storm = () =>
      Promise.all(
        Array.from({ length: 20 }, async (_, at) =>
          status(await issuer.token({ roles }, { kid: `made-up-${at}` })),
        ),
      )
    expect(new Set([...(await storm()), ...(await storm())])).toEqual(new Set([401]))
    expect(issuer.keyCalls()).toBe(calls + 1)
    await issuer.rotate()
    ahead += limits.issuerRestMs
    expect(await status(await issuer.token({ roles }))).toBe(200)
    expect(await status(known)).toBe(200)
    expect(issuer.keyCalls()).toBe(calls + 2)
  })

  test('signed by a known key is accepted while the issuer is down; otherwise 503', async () => {
    const roles = [`${org.id}:viewer`]
    const token = await issuer.token({ roles })
    expect(await status(token)).toBe(200)
    const cold = await trusting()
    issuer.pause()
    const late = { iat: Math.floor(Date.now() / 1_000), roles }
    ahead = limits.issuerKeysMs
    const exp = late.iat + (ahead + 60_000) / 1_000
    expect(await status(await issuer.token({ ...late, exp }))).toBe(200)
    for (const [unknown, at] of [
      [await issuer.token({ ...late, exp }, { kid: 'newer' }), service],
      [await issuer.token({ ...late, exp }), cold],
      [await issuer.token({ ...late, exp }), cold],
    ] as const) {
      const answer = await as(unknown, at)('GET /api/Catalog')
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    }
    issuer.pause()
    ahead += limits.issuerRestMs
    expect(await status(await issuer.token({ ...late, exp }), cold)).toBe(200)
    await cold.stop()
  })

  test('signed by a known key waits at most once for an issuer that hangs', async () => {
    const waiting = await trusting()
    const iat = Math.floor(Date.now() / 1_000)
    const exp = iat + (limits.issuerKeysMs + limits.issuerRestMs + 60_000) / 1_000
    const token = await issuer.token({ iat, exp, roles: [`${org.id}:viewer`] })
    expect(await status(token, waiting)).toBe(200)
    issuer.pause('wait')
    ahead = limits.issuerKeysMs
    const took: number[] = []
    for (const _ of ['first', 'once more']) {
      const began = performance.now()
      expect(await status(token, waiting)).toBe(200)
      took.push(performance.now() - began)
      ahead += limits.issuerRestMs
    }
    issuer.pause()
    expect(took[0]).toBeGreaterThan(limits.issuerMs * 0.9)
    expect(took[1]).toBeLessThan(limits.issuerMs / 2)
    await waiting.stop()
  })

  test('that was valid recently has its own rate, unaffected by other requests from its address', async () => {
    const now = new Date()
    const rates = { byAddress: 5, byKey: 10 }
    const limited = await trusting({}, { clock: { now: () => now }, rates })
    const send = (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return limited
        .fetch(new Request('http://localhost/api/Catalog', { headers }), '198.51.100.7')
        .then((answer) => answer.status)
    }
    const roles = [`${org.id}:viewer`]
    const good = await issuer.token({ sub: 'hal', roles })
    expect(await send(good)).toBe(200)
    const bad = `${good}x`
    const refused = [await send(bad), await send(bad), await send(bad)]
    expect(refused).toContain(429)
    expect(await send(good)).toBe(200)
    // Another token of the same person shares the rate limit.
    const more = await issuer.token({ sub: 'hal', roles, jti: 'another' })
    const seen: number[] = []
    for (let at = 0; at < 40; at++) seen.push(await send(at % 2 === 0 ? good : more))
    expect(new Set(seen)).toEqual(new Set([200, 429]))
    await limited.stop()
  })

  test('does not appear in any log, nor do its claims', async () => {
    lines.length = 0
    const secret = `sub-${crypto.randomUUID()}`
    const token = await issuer.token({
      sub: secret,
      email: `${secret}@x.example`,
      roles: [`${org.id}:viewer`],
    })
    expect(await status(token)).toBe(200)
    expect(await status(`${token}x`)).toBe(401)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(token.split('.')[1])
    expect(lines.join('')).not.toContain(secret)
  })
})
