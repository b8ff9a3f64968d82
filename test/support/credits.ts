import { expect, vi } from 'vitest'
import { monthsOf } from '../../src/usage/change-month.ts'
import { entriesOf } from '../../src/usage/entries.ts'
import { type MonthCredits, monthOf } from '../../src/usage/month-credits.ts'
import { seedCatalog } from './catalog.ts'
import type { TestOrganization } from './client.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from './client.ts'
import { BACKGROUND_MS } from './deadlines.ts'
import type { TestService } from './service.ts'

/** An organization with a catalog, and with limits set by an operator. */
export interface Shop {
  readonly org: TestOrganization
  readonly catalog: string
  /** `POST /api/search?catalog=…` */
  readonly line: string
  give(limits: object): Promise<unknown>
}

export async function newShop(
  service: TestService,
  limits: object = {},
  parent?: string,
): Promise<Shop> {
  const org = await newOrganization(service, parent)
  const catalog = await seedCatalog(service, org, [{ id: '1', name: 'Desk' }])
  const operator = caller(service, { key: OPERATOR_KEY, organization: org.id })
  const give = (body: object) =>
    expectOk(operator('PUT /api/organizations/current', { body: { name: org.id, ...body } }))
  await give(limits)
  return { org, catalog, line: `POST /api/search?catalog=${catalog}`, give }
}

/** Sends `count` searches at once and returns how often each status came. */
export async function flood(line: string, calls: readonly Call[], count: number) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => calls[n % calls.length]!(line, { body: {} })),
  )
  const statuses: Record<number, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  return { answers, statuses }
}

/** The usage of an account in this month, as stored. */
export async function monthIn(
  { services }: TestService,
  account: string,
  month = monthOf(services.clock.now()),
): Promise<MonthCredits | undefined> {
  return (await monthsOf(services.elastic, account).get(month))?.source
}

/** Number of an organization's ledger entries by state. */
export async function statesIn(
  { services }: TestService,
  organization: string,
  month = monthOf(services.clock.now()),
): Promise<Record<string, number>> {
  const entries = entriesOf(services.elastic, { organization, month })
  const { hits } = await entries.search({ size: 1_000 })
  const states: Record<string, number> = {}
  for (const { _source } of hits.hits) {
    states[_source!.state] = (states[_source!.state] ?? 0) + 1
  }
  return states
}

/**
 * Waits until no credits are held and `spent` are taken, both in the ledger and in Search Usage.
 */
export async function expectSpent(service: TestService, { org }: Shop, spent: number) {
  await vi.waitFor(
    async () => {
      const month = await monthIn(service, org.id)
      expect([month?.taken, month?.holds]).toEqual([spent, []])
      const states = await statesIn(service, org.id)
      expect([states.answered ?? 0, states.open ?? 0]).toEqual([spent, 0])
    },
    { timeout: BACKGROUND_MS, interval: 200 },
  )
  const { body } = await expectOk(org.call('GET /api/organizations/current/usage'))
  const sum = (uses: Record<string, { searchCreditsUsed: number }>) =>
    Object.values(uses).reduce((total, use) => total + use.searchCreditsUsed, 0)
  expect([body.searchCreditsUsed, sum(body.users), sum(body.apiKeys)]).toEqual([
    spent,
    spent,
    spent,
  ])
}
