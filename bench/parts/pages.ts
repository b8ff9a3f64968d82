import { candidates, type SearchRequest } from '../catalog/requests.ts'
import { jsonOf } from '../http.ts'
import { CATALOG, type Organization, openOrganization } from '../organization.ts'
import type { PagesRow, PageTimes } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'

/** Measured sessions of each service, and warm-up sessions before them. */
const SESSIONS = 150
const WARM_UP = 50
const PAGE = 25
const LATER = [1, 2, 3, 4]
const ORDERS = ['price', 'name', '-price']

type Kind = keyof PageTimes

/**
 * Measures the cost of turning pages and of changing the order: sessions of one search each,
 * alternating between a service with an answer cache and one without.
 */
export async function measurePages(session: Session, stage: Stage): Promise<PagesRow> {
  const service = await startService({
    ...session.serviceOptions(stage.name),
    keepsAnswers: true,
  })
  const keeping = await openOrganization(service.origin, stage.organizationId, { exists: true })
  try {
    const requests = await longSearches(stage.organization, 2 * (SESSIONS + WARM_UP))
    // From the second search on, the service knows the time of the last write.
    for (let turn = 0; turn < 2; turn++) await timed(keeping, { keywords: 'warm' })
    const times = { kept: newTimes(), plain: newTimes() }
    for (const [at, request] of requests.entries()) {
      const isKept = at % 2 === 0
      const taken = await runSession(isKept ? keeping : stage.organization, request)
      if (at < 2 * WARM_UP) continue
      const all = times[isKept ? 'kept' : 'plain']
      for (const kind of ['first', 'pages', 'orders'] as const) all[kind].push(...taken[kind])
    }
    return { sessions: SESSIONS, kept: means(times.kept), plain: means(times.plain) }
  } finally {
    await keeping.close()
    await service.stop()
  }
}

/** Searches with enough hits for all pages, which no other part sends. */
async function longSearches(organization: Organization, wanted: number) {
  const found: SearchRequest[] = []
  for (const request of candidates('pages')) {
    const { count } = await organization.call<{ count: number }>(
      'POST',
      `/api/search/count?catalog=${CATALOG}`,
      request,
    )
    if (count >= PAGE * (LATER.length + 1)) found.push(request)
    if (found.length === wanted) break
  }
  return found
}

type Times = Record<Kind, number[]>
const newTimes = (): Times => ({ first: [], pages: [], orders: [] })

async function runSession(organization: Organization, request: SearchRequest): Promise<Times> {
  const times = newTimes()
  times.first.push(await timed(organization, request))
  for (const page of LATER) times.pages.push(await timed(organization, { ...request, page }))
  for (const sort of ORDERS) times.orders.push(await timed(organization, { ...request, sort }))
  return times
}

async function timed({ wire, target }: Organization, body: SearchRequest): Promise<number> {
  const request = wire('POST', `/api/search?catalog=${CATALOG}`, body)
  const began = performance.now()
  const reply = await target.send(request)
  const took = performance.now() - began
  jsonOf(reply, 'a page')
  return took
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

const means = ({ first, pages, orders }: Times): PageTimes => ({
  first: mean(first),
  pages: mean(pages),
  orders: mean(orders),
})
