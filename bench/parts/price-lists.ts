import { candidates, type SearchRequest } from '../catalog/requests.ts'
import { compare } from '../compare.ts'
import { connect, jsonOf, type Wire } from '../http.ts'
import {
  FEW,
  type SeededOrganization,
  searchWire,
  seedOrganizations,
} from '../many-organizations.ts'
import type { PriceListsRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { settle } from '../stage.ts'

const NAME = 'price-lists'
const LISTS = 5

/** Searches with facets, with and without the use of a price. */
const KINDS = {
  facets: {},
  'sorted by price': { sort: 'price' },
  'up to a price': { highPrice: 100 },
} as const satisfies Record<string, SearchRequest>

/**
 * Compares searches by the prices of a large list with the same by general prices, among
 * organizations with lists.
 */
export async function measurePriceLists(session: Session): Promise<PriceListsRow> {
  const { options } = session
  const elastic = session.elastic(NAME)
  const [organizations = 1] = options.organizations
  const large = Math.min(organizations, options.large ?? organizations)
  // The first start creates the indices.
  await (await startService(session.serviceOptions(NAME))).stop()
  const mapping = async () => {
    const index = elastic.indexName('products')
    return JSON.stringify(await elastic.client.indices.getMapping({ index })).length
  }
  const before = await mapping()
  session.say(`storing ${organizations} organizations with ${LISTS} lists each`)
  const { products, connections } = options
  const size = { organizations, large, products }
  const seeded = await seedOrganizations(elastic, { ...size, priceLists: LISTS })
  await settle(elastic)
  const service = await startService(session.serviceOptions(NAME))
  const target = connect(service.origin, { connections })
  const kinds: PriceListsRow['kinds'][number][] = []
  try {
    for (const [kind, more] of Object.entries(KINDS)) {
      const wires = requestsOf(options.distinct, more, seeded[0]!)
      for (const pair of wires) {
        const [general, listed] = await Promise.all(
          pair.map(async (wire) => jsonOf<{ total: number }>(await target.send(wire), kind)),
        )
        if (general!.total !== listed!.total)
          throw new Error(`void: ${kind} finds others by a list`)
      }
      const comparison = await compare({
        ...options,
        elastic,
        pid: service.pid,
        A: { target, actions: wires.map(([general]) => [general]) },
        B: { target, actions: wires.map(([, listed]) => [listed]) },
      })
      kinds.push({ kind, comparison })
      session.say(`price lists: ${kind} done`)
    }
    const grown = (await mapping()) - before
    return {
      ...{ organizations, large, few: FEW, lists: LISTS, prices: products },
      ...{ kinds, mappingCharacters: before, mappingGrowth: grown },
    }
  } finally {
    await target.close()
    await service.stop()
    await session.drop(NAME)
  }
}

/** Pairs of requests: by general prices, and by the list that has the same prices. */
function requestsOf(
  count: number,
  more: SearchRequest,
  organization: SeededOrganization,
): (readonly [general: Wire, listed: Wire])[] {
  const requests: (readonly [Wire, Wire])[] = []
  for (const request of candidates(NAME)) {
    if (Object.keys(request).join() !== 'keywords') continue
    const general = { ...request, ...more }
    const listed = { ...general, priceList: 'list-0' }
    requests.push([searchWire(organization, general), searchWire(organization, listed)])
    if (requests.length === count) break
  }
  return requests
}
