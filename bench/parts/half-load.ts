import { connect } from '../http.ts'
import { closedLoop, type Load, openLoop } from '../load.ts'
import { openOrganization } from '../organization.ts'
import { directActions, serviceActions } from '../replay.ts'
import type { HalfLoadRow } from '../report.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { blockOrder, quantile } from '../statistics.ts'
import type { Prepared } from './requests.ts'

const CONNECTIONS = [1, 8]

/**
 * Latencies of the service and of Elasticsearch called directly, at half of the service's highest
 * rate, over one and over eight connections, in blocks A B B A …
 */
export async function measureHalfLoad(
  session: Session,
  stage: Stage,
  workload: Prepared,
): Promise<HalfLoadRow[]> {
  const rows: HalfLoadRow[] = []
  for (const connections of CONNECTIONS) {
    rows.push(await measureOver(connections, { session, stage, workload }))
  }
  return rows
}

interface Parties {
  readonly session: Session
  readonly stage: Stage
  readonly workload: Prepared
}

async function measureOver(
  connections: number,
  { session, stage, workload }: Parties,
): Promise<HalfLoadRow> {
  const { node, ca, options } = session
  const { seconds, pairs } = options
  const { origin } = stage.service
  const direct = connect(node, { connections, ...(ca && { ca }) })
  const served = await openOrganization(origin, stage.organizationId, { exists: true, connections })
  const loads: Record<'A' | 'B', Load> = {
    A: { target: direct, actions: directActions(workload.recorded), seconds },
    B: { target: served.target, actions: serviceActions(workload.recorded), seconds },
  }
  try {
    await closedLoop({ ...loads.A, connections })
    await closedLoop({ ...loads.B, connections })
    const most = await closedLoop({ ...loads.B, connections })
    const perSecond = most.latencies.length / most.seconds / 2
    const latencies: Record<'A' | 'B', number[]> = { A: [], B: [] }
    let errors = 0
    for (const side of blockOrder(pairs)) {
      const measured = await openLoop({ ...loads[side], perSecond })
      for (const latency of measured.latencies) latencies[side].push(latency)
      errors += measured.errors
    }
    const figures = (side: 'A' | 'B') => ({
      p50: quantile(latencies[side], 0.5),
      p95: quantile(latencies[side], 0.95),
      p99: quantile(latencies[side], 0.99),
    })
    const calls = latencies.B.length
    return { connections, perSecond, calls, errors, direct: figures('A'), served: figures('B') }
  } finally {
    await served.close()
    await direct.close()
  }
}
