import type { Elastic } from '../../src/elastic/client.ts'
import { candidates, quickTexts } from '../catalog/requests.ts'
import type { Wire } from '../http.ts'
import { closedLoop } from '../load.ts'
import { CATALOG, type Organization } from '../organization.ts'
import { engineCpu, processCpu } from '../process-figures.ts'
import { type GrowthRow, pointLine } from '../report.ts'
import type { Session } from '../session.ts'
import { openStage } from '../stage.ts'
import { growthExponent, quantile } from '../statistics.ts'

const REQUESTS = 100
const OPERATIONS = ['search', 'simple', 'quicksearch'] as const
type Operation = (typeof OPERATIONS)[number]

/** Keyword requests, since these find the same share of a catalog of any size. */
function requestsOf(operation: Operation, { wire }: Organization): Wire[] {
  if (operation === 'quicksearch') {
    return quickTexts(REQUESTS).map((text) =>
      wire('GET', `/api/search/quicksearch?catalog=${CATALOG}&search=${encodeURIComponent(text)}`),
    )
  }
  const path = operation === 'search' ? '/api/search' : '/api/search/simple'
  const requests: Wire[] = []
  for (const request of candidates('growth')) {
    if (Object.keys(request).join() !== 'keywords') continue
    requests.push(wire('POST', `${path}?catalog=${CATALOG}`, request))
    if (requests.length === REQUESTS) break
  }
  return requests
}

/**
 * Measures the mean time of the same requests, one at a time, over catalogs of growing size. A
 * refused request counts with the time until the refusal.
 */
export async function measureGrowth(session: Session): Promise<GrowthRow[]> {
  const { sizes, seconds } = session.options
  const points = new Map<Operation, GrowthRow['points'][number][]>()
  for (const size of sizes) {
    const stage = await openStage(session, { name: `growth-${size}`, products: size })
    const disk = await productBytes(stage.elastic)
    for (const operation of OPERATIONS) {
      const { organization, elastic, service } = stage
      const actions = requestsOf(operation, organization).map((wire) => [wire])
      const least = actions.length
      const load = { target: organization.target, actions, connections: 1, least }
      await closedLoop({ ...load, seconds })
      const before = [await engineCpu(elastic), await processCpu(service.pid)] as const
      const measured = await closedLoop({ ...load, seconds: 3 * seconds })
      const after = [await engineCpu(elastic), await processCpu(service.pid)] as const
      const latencies = wholePasses(measured.latencies, actions.length)
      const value = latencies.reduce((sum, one) => sum + one, 0) / latencies.length
      const calls = measured.latencies.length
      const point = {
        size,
        value,
        p50: quantile(latencies, 0.5),
        engineCpu: (after[0] - before[0]) / calls,
        serviceCpu: (after[1] - before[1]) / calls,
        failed: measured.errors / calls,
        disk,
      }
      session.say(`${operation}:${pointLine(point)}`)
      points.set(operation, [...(points.get(operation) ?? []), point])
    }
    await stage.close()
    await session.drop(stage.name)
  }
  return OPERATIONS.map((operation) => ({
    operation,
    points: points.get(operation)!,
    exponent: growthExponent(points.get(operation)!),
  }))
}

/** Bytes that the products take on disk. */
async function productBytes({ client, indexName }: Elastic): Promise<number> {
  const index = indexName('products')
  const { _all } = await client.indices.stats({ index, metric: 'store' })
  return _all.total?.store?.size_in_bytes ?? Number.NaN
}

/**
 * Drops an incomplete last pass, unless it is the only one, so that each request counts equally
 * often.
 */
function wholePasses(latencies: readonly number[], requests: number): readonly number[] {
  const whole = Math.floor(latencies.length / requests) * requests
  return whole === 0 ? latencies : latencies.slice(0, whole)
}
