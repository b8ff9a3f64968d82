import { describe, expect, test } from 'vitest'
import { StartupFailure } from '../../../src/errors.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createOutbound } from '../../../src/platform/outbound/outbound.ts'
import { type Claims, personOf } from '../../../src/sign-in/person.ts'
import { type SignInTexts, signInSettings } from '../../../src/sign-in/settings.ts'
import { createSignIn } from '../../../src/sign-in/sign-in.ts'

const TEXTS: SignInTexts = {
  issuer: 'https://login.example/realms/shop',
  audience: undefined,
  clientId: 'console',
  scope: 'openid profile email',
  rolesClaim: 'roles',
  roles: undefined,
  users: 'create',
}

describe('settings', () => {
  test('are empty without an issuer', () => {
    expect(signInSettings({ ...TEXTS, issuer: undefined })).toBeUndefined()
  })

  test('accept several issuers, audiences and mappings', () => {
    const settings = signInSettings({
      ...TEXTS,
      issuer: 'https://a.example, https://b.example/',
      audience: 'api://aisle,console',
      roles: 'a=b=acme:editor, staff=operator,a=b=globex:viewer',
      users: 'email,create',
    })
    expect(settings).toEqual({
      issuers: ['https://a.example', 'https://b.example/'],
      audiences: ['api://aisle', 'console'],
      client: { id: 'console', scope: 'openid profile email' },
      rolesClaim: 'roles',
      meanings: new Map([
        [
          'a=b',
          [
            { organization: 'acme', role: 'editor' },
            { organization: 'globex', role: 'viewer' },
          ],
        ],
        ['staff', ['operator']],
      ]),
      users: { byEmail: true, create: true },
    })
  })

  test('name the audience of tokens, and who may sign in', () => {
    const read = (texts: Partial<SignInTexts>) => () => signInSettings({ ...TEXTS, ...texts })
    expect(read({ clientId: undefined })).toThrow(StartupFailure)
    expect(read({ clientId: undefined })).toThrow('OIDC_CLIENT_ID, or OIDC_AUDIENCE')
    expect(read({ users: undefined })).toThrow('OIDC_USERS must be create')
  })
})

test('accept an issuer without TLS only if the operator names its host', () => {
  const settings = signInSettings({ ...TEXTS, issuer: 'http://login.example:8080' })!
  const take = (allow: string) =>
    createSignIn(settings, {
      outbound: createOutbound({ allow }),
      clock: systemClock,
      log: createLog('silent'),
    })
  expect(() => take('')).toThrow('OIDC_ISSUER: http://login.example:8080 must begin with https://')
  expect(() => take('login.example:8081')).toThrow(StartupFailure)
  expect(take('login.example:8080').issuers).toHaveLength(1)
})

describe('a person', () => {
  const said = (claims: object, texts: Partial<SignInTexts> = {}) =>
    personOf(
      { iss: 'https://login.example', sub: 'a|1', iat: 1_000.5, exp: 2_000, ...claims } as Claims,
      signInSettings({ ...TEXTS, ...texts })!,
    )
  const rolesOf = (roles: unknown) => [...said({ roles }).roles]

  test('has the strongest role of each organization in the claim', () => {
    expect(rolesOf(['acme:editor', 'acme:viewer', 'globex:viewer'])).toEqual([
      ['acme', 'editor'],
      ['globex', 'viewer'],
    ])
    expect(rolesOf('acme:administrator')).toEqual([['acme', 'administrator']])
  })

  test('ignores unknown roles', () => {
    const none = [undefined, null, 7, {}, 'operator', 'acme', 'acme:owner', 'acme:editor:x']
    for (const roles of [...none, ['Acme:editor'], [['acme:editor']], 'constructor:']) {
      expect(rolesOf(roles)).toEqual([])
    }
    expect([...said({}, { rolesClaim: '__proto__.constructor' }).roles]).toEqual([])
  })

  test('looks up the claim’s name as a whole before its parts', () => {
    const rolesClaim = 'https://shop.example/roles'
    const claims = { [rolesClaim]: ['acme:editor'] }
    expect([...said(claims, { rolesClaim }).roles]).toEqual([['acme', 'editor']])
    const nested = { realm_access: { roles: ['acme:viewer'] } }
    expect([...said(nested, { rolesClaim: 'realm_access.roles' }).roles]).toEqual([
      ['acme', 'viewer'],
    ])
  })

  test('has a generated username, whatever they call themselves', () => {
    const hash = 'acb0c963d8'
    expect(said({ preferred_username: 'Ada Löv<b>@x' }).username).toBe(`AdaLövb-${hash}`)
    expect(said({ preferred_username: '..@' }).username).toBe(`user-${hash}`)
    expect(said({ preferred_username: 7, email: 'ada@x.example' }).username).toBe(`ada-${hash}`)
    expect(said({ preferred_username: 'x'.repeat(500) }).username).toHaveLength(51)
    expect(said({ sub: 'a|2' }).username).not.toContain(hash)
    expect(said({}).since).toBe(1_000)
  })

  test('has the names in the token, within the rules for users', () => {
    const named = said({ given_name: ' Ada\u0000\n ', family_name: `L\ud83d${'x'.repeat(300)}` })
    expect(named.firstName).toBe('Ada')
    expect(named.lastName).toBe(`L\ufffd${'x'.repeat(197)}…`)
    expect(said({ given_name: 7, family_name: ' ' })).toMatchObject({
      firstName: null,
      lastName: null,
    })
  })

  test('has an email address only if it is verified and the operator uses it', () => {
    const claims = { email: 'Ada@X.example', email_verified: true }
    expect(said(claims).email).toBeUndefined()
    expect(said(claims, { users: 'email' }).email).toBe('ada@x.example')
    for (const other of [
      { email_verified: 'true' },
      { email: 'ada' },
      { email: 'a b@x.example' },
    ]) {
      expect(said({ ...claims, ...other }, { users: 'email' }).email).toBeUndefined()
    }
  })
})
