import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, expectOk } from '../support/client.ts'
import { monthIn } from '../support/credits.ts'
import type { TestService } from '../support/service.ts'
import { entriesIn, type Place, storedIn } from '../survival/stored.ts'
import type { Load } from './load.ts'

/** How often searches were charged, and the bounds of how often they may have been. */
interface Charged {
  readonly least: number
  readonly counted: number
  readonly most: number
}

export interface Losses {
  /** Items that were acknowledged, but are missing at the end. */
  readonly lost: readonly string[]
  /** Items that were written more than once. */
  readonly doubled: readonly string[]
  /** Searches of the organization without a limit, which are counted after the answer. */
  readonly searches: Charged
  /** Credits taken from the organization with a limit. */
  readonly credits: Charged
}

interface Drilled {
  readonly place: Place
  readonly call: Call
  readonly front: Pick<TestService, 'services'>
  readonly catalog: { readonly organization: string; readonly name: string }
  /** Id of the organization whose searches cost credits. */
  readonly limited: string
  readonly acknowledged: Load['acknowledged']
}

/** Compares what was acknowledged with what is stored. Every product is written once. */
export async function lossesOf(drilled: Drilled): Promise<Losses> {
  const { place, call, catalog, acknowledged } = drilled
  const lost: string[] = []
  const doubled: string[] = []
  const stored = new Set<string>()
  for await (const { id, version } of storedIn(place, `${catalog.organization}/${catalog.name}`)) {
    stored.add(id)
    if (version !== 1) doubled.push(`${id} has version ${version}`)
  }
  for (const id of acknowledged.products) if (!stored.has(id)) lost.push(id)
  const logged = new Set<string>()
  for await (const { productId } of entriesIn(place, catalog.organization)) {
    if (logged.has(productId)) doubled.push(`${productId} was logged twice`)
    logged.add(productId)
  }
  for (const [name, ids] of acknowledged.items) {
    const { body } = await expectOk(call(`GET /api/workspaces/${name}`))
    const items: { productId: string; details: { quantity: number } }[] = body.products
    const there = new Set(items.map(({ productId }) => productId))
    for (const id of ids) if (!there.has(id)) lost.push(`${name} ${id}`)
    const more = items.filter(({ details }) => details.quantity !== 1)
    doubled.push(...more.map(({ productId }) => `${name} ${productId}`))
  }
  const { searches, limitedSearches } = acknowledged
  return {
    lost,
    doubled,
    searches: charged(searches, await countedSearches(call)),
    credits: charged(limitedSearches, await creditsTaken(drilled)),
  }
}

export const isRight = ({ least, counted, most }: Charged): boolean =>
  counted >= least && counted <= most

const charged = (
  { answered, unsure }: { readonly answered: number; readonly unsure: number },
  counted: number,
): Charged => ({ least: answered, counted, most: answered + unsure })

/** The number of searches once all instances have written their counts. */
async function countedSearches(call: Call): Promise<number> {
  await sleep(5_000)
  const { body } = await expectOk(call('GET /api/organizations/current/usage'))
  const users: { searchCount: number }[] = Object.values(body.users)
  return users.reduce((sum, { searchCount }) => sum + searchCount, 0)
}

const SETTLED_MS = 60_000

/** The number of credits taken once the ledger entries of ended processes are settled. */
async function creditsTaken({ front, limited }: Drilled): Promise<number> {
  const until = performance.now() + SETTLED_MS
  for (;;) {
    const month = await monthIn(front as TestService, limited)
    if (month?.holds.length === 0) return month.taken
    if (performance.now() > until) throw new Error('credits are held for ever')
    await sleep(500)
  }
}
