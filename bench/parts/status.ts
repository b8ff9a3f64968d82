import { connect } from '../http.ts'
import { openLoop } from '../load.ts'
import { openOrganization } from '../organization.ts'
import type { StatusRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { quantile } from '../statistics.ts'

const CALLS_PER_SECOND = 20
const AT_MOST_SECONDS = 3_600

/**
 * Measures how fast the service answers for its status and an import's progress while it imports.
 */
export async function measureStatus(session: Session): Promise<StatusRow> {
  const { products } = session.options
  const file = await session.productFile(products)
  const service = await startService(session.serviceOptions('status'))
  const organization = await openOrganization(service.origin, 'bench')
  const target = connect(service.origin, { connections: 16 })
  const over = new AbortController()
  const ask = async (path: string) => {
    const { latencies, errors } = await openLoop({
      target,
      actions: [[organization.wire('GET', path)]],
      seconds: AT_MOST_SECONDS,
      perSecond: CALLS_PER_SECOND,
      stop: over.signal,
    })
    const at = (share: number) => quantile(latencies, share)
    return { path, calls: latencies.length, errors, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
  }
  try {
    const url = await organization.upload(file)
    const importing = organization.import(url).finally(() => over.abort())
    const calls = await Promise.all([ask('/api/status'), ask('/api/tasks')])
    const { seconds } = await importing
    return { perSecond: CALLS_PER_SECOND, calls, importRate: products / seconds }
  } finally {
    await target.close()
    await organization.close()
    await service.stop()
    await session.drop('status')
  }
}
