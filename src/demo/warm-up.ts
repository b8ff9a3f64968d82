import { setTimeout } from 'node:timers/promises'
import type { Context, Services } from '../operation.ts'
import { inCatalog } from '../search/answered-search.ts'
import { criteriaOf } from '../search/criteria.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import { runSearch } from '../search/run.ts'
import { suggest } from '../search/suggestions/suggest.ts'
import { asAdministrator, DEMO } from './organization.ts'

/** Searches of a shopper, each of which is typed letter by letter. */
const TYPED = [
  ...['label printer', 'assembly gloves', 'notebook 16 gb', 'sata ssd 1 tb', 'led bulb e27'],
  ...['patch cable cat 6a', 'ball bearing 6204', 'monitor 27 inch', 'poe switch 24 port'],
]
const LONGEST_MS = 30_000
const LOOK_MS = 100
/** Checks without a request after which the service counts as idle. */
const LOOKS = 10

/**
 * Runs the searches of a storefront on the demo's catalog, so that code is compiled here and in
 * Elasticsearch before a shopper waits for it. Yields to requests, ends by itself, and leaves
 * nothing in history, reports and credits.
 */
export async function warmUp(services: Services, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)])
  try {
    for (const text of TYPED.flatMap(beginnings)) {
      await untilIdle(services, signal)
      signal.throwIfAborted()
      await typed({ ...asAdministrator(services), signal }, text)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const beginnings = (text: string): string[] =>
  Array.from(text, (_, at) => text.slice(0, at + 1)).filter((part) => !part.endsWith(' '))

/** Resolves at once if no request is under way, else after a second without one. */
async function untilIdle({ requests }: Services, signal: AbortSignal): Promise<void> {
  let idle = requests.load().underWay === 0 ? LOOKS : 0
  while (idle < LOOKS) {
    await setTimeout(LOOK_MS, undefined, { signal })
    idle = requests.load().underWay === 0 ? idle + 1 : 0
  }
}

/** The search and the suggestions of a key stroke in the storefront. */
const typed = (ctx: Context, text: string): Promise<unknown> =>
  inCatalog(ctx, { catalog: DEMO, priceList: null }, async (target, catalog) => {
    await runSearch(target, criteriaOf(typedSearch(text)))
    await suggest({ ctx, catalog, target, text }, ['queries', 'categories', 'products'])
  })

const typedSearch = (keywords: string): SearchRequest =>
  SearchRequest.parse({
    ...{ keywords, typing: true, pageSize: 24, group: true, highlight: true, counts: true },
    facets: { most: 10, lists: true, ranges: true, tree: true },
  })
