import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleMoves } from '../../src/moves/upkeep.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { signInSettings } from '../../src/sign-in/settings.ts'
import { workerBrowser } from '../support/browser.ts'
import { caller, expectOk, OPERATOR_KEY } from '../support/client.ts'
import { everyWidth } from '../support/console.ts'
import { type Accounts, CLIENT, startIssuer, type TestIssuer } from '../support/issuer.ts'
import { visit } from '../support/shop.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const accounts: Accounts = {}
let issuer: TestIssuer
let service: Standalone

beforeAll(async () => {
  // Tokens expire so soon that every request needs a new one.
  issuer = await startIssuer(accounts, { seconds: 25 })
  service = await startStandalone('console-sign-in', {
    outbound: createOutbound({ allow: '127.0.0.1' }),
    signIn: signInSettings({
      ...{ issuer: issuer.name, clientId: CLIENT, audience: undefined },
      ...{ scope: 'openid profile email', rolesClaim: 'roles', roles: undefined, users: 'create' },
    }),
  })
  issuer.sendBackTo(`${service.address}/console`)
  const operator = caller(service, { key: OPERATOR_KEY })
  for (const id of ['acme', 'globex']) {
    await expectOk(operator('POST /api/organizations', { body: { id, name: `Shop ${id}` } }))
  }
})

afterAll(async () => {
  await service?.stop()
  await issuer?.stop()
})

test('a user signs in at an identity provider, works by their role, and signs out', async () => {
  accounts.ada = { roles: ['acme:administrator', 'globex:viewer'], preferred_username: 'ada' }
  const { page, problems } = await visit(await workerBrowser(), service, '/console?page=users')
  const renewals: string[] = []
  page.on('request', (request) => {
    if (request.postData()?.includes('grant_type=refresh_token')) renewals.push(request.url())
  })
  await page.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  )
  const button = page.getByRole('button', { name: `Sign in with ${new URL(issuer.name).host}` })
  await button.waitFor()
  await everyWidth(page, 'sign-in')
  await button.click()

  await page.getByPlaceholder('Enter any login').fill('ada')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('button', { name: 'Shop acme' }).click()
  await page.getByRole('row', { name: /^ada-[0-9a-f]{10}/ }).waitFor()
  expect(page.url()).toBe(`${service.address}/console?page=users`)
  await page.getByRole('link', { name: 'Catalogs', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('anvils')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('row', { name: /^anvils/ }).waitFor()
  // Only operators see in which index a catalog is.
  expect(await page.getByRole('columnheader').count()).toBe(5)
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0)
  expect(new Set(renewals)).toEqual(new Set([`${issuer.name}/token`]))

  // From now on the issuer answers renewals with expired tokens.
  await page.route(`${issuer.name}/token`, async (route) => {
    const exp = Math.floor(Date.now() / 1_000) - 600
    const token = await issuer.token({ iat: exp - 300, exp })
    const headers = { 'access-control-allow-origin': '*' }
    await route.fulfill({ headers, json: { id_token: token } })
  })
  await page.getByLabel('Name', { exact: true }).fill('rings')
  await page.getByRole('button', { name: 'Create' }).click()
  const again = page.getByRole('dialog', { name: 'You’ve been signed out' })
  await again.waitFor()
  await everyWidth(page, 'signed-out')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('rings')
  await page.unroute(`${issuer.name}/token`)
  const [beside] = await Promise.all([
    page.waitForEvent('popup'),
    again.getByRole('button', { name: /^Sign in with/ }).click(),
  ])
  const closed = beside.waitForEvent('close')
  await beside.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('row', { name: /^rings/ }).waitFor()
  await closed
  await again.waitFor({ state: 'detached' })
  expect(problems.filter((one) => one.includes('401'))).not.toEqual([])

  await page.getByRole('button', { name: 'Shop acme' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await button.waitFor()
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}')

  // A redirect of a sign-in that somebody else began.
  await page.goto(`${service.address}/console?code=stolen&state=other`)
  await page.getByRole('alert').filter({ hasText: 'was not started in this tab' }).waitFor()
  expect(page.url()).toBe(`${service.address}/console`)

  const elsewhere = problems.filter(
    (one) =>
      ![issuer.name, 'https://fonts.googleapis.com/'].some((name) => one.startsWith(name)) &&
      !one.includes('401'),
  )
  expect(elsewhere).toEqual([])
  await page.context().close()
})

test('an operator sees the index of a catalog, and moves it', async () => {
  const operator = caller(service, { key: OPERATOR_KEY, organization: 'globex' })
  await expectOk(operator('POST /api/Catalog', { body: { name: 'bolts' } }))
  const { page, problems } = await visit(await workerBrowser(), service, '/console?page=catalogs')
  await page.getByLabel('API key').fill(OPERATOR_KEY)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Shop globex' }).click()
  const row = page.getByRole('row', { name: /^bolts/ })
  await row.getByText('Shared').waitFor()
  await everyWidth(page, 'catalogs')

  await row.getByRole('button', { name: 'Move bolts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move bolts' })
  await dialog.getByLabel('Dedicated shards').fill('2')
  await everyWidth(page, 'move')
  // Delay the answer until the page has been seen to start it.
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/tasks*', async (route) => {
    await seen.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Move catalog' }).click()
  await row.getByRole('progressbar', { name: 'Moving bolts' }).waitFor()
  expect(await row.getByRole('button', { name: 'Move bolts' }).count()).toBe(0)
  await everyWidth(page, 'moving')
  seen.resolve()
  await settleMoves(service.services)
  await row.getByText('Dedicated, 2 shards').waitFor({ timeout: 60_000 })
  await row.getByRole('button', { name: 'Move bolts' }).waitFor()
  await everyWidth(page, 'moved')
  expect(problems).toEqual([])
  await page.context().close()
})
