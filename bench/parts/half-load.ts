import { connect } from '../http.ts'
import { closedLoop, type Load, openLoop } from '../load.ts'
import { openOrganization } from '../organization.ts'
import { directActions, serviceActions } from '../replay.ts'
import type { HalfLoadRow } from '../report.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { blockOrder, quantile } from '../statistics.ts'
import { startFloor } from './floor.ts'
import type { Prepared } from './requests.ts'

const CONNECTIONS = [1, 8]

/**
 * Latencies of the service and of Elasticsearch called directly, at half of the service's highest
 * rate, over one and over eight connections, in blocks A B B A …; with the part `floor`, also those
 * of the least service at the same rate.
 */
export async function measureHalfLoad(
  session: Session,
  stage: Stage,
  workload: Prepared,
): Promise<HalfLoadRow[]> {
  const rows: HalfLoadRow[] = []
  for (const connections of CONNECTIONS) {
    const served = await openOrganization(stage.service.origin, stage.organizationId, {
      exists: true,
      connections,
    })
    const B = { target: served.target, actions: serviceActions(workload.recorded) }
    const row = await measureOver(session, { connections, workload, B }).finally(served.close)
    rows.push(row)
    if (!session.options.parts.includes('floor')) continue
    rows.push({ ...(await measureFloorOver(session, workload, row)), isFloor: true })
  }
  return rows
}

async function measureFloorOver(
  session: Session,
  workload: Prepared,
  { connections, perSecond }: HalfLoadRow,
): Promise<HalfLoadRow> {
  const { origin, actions, stop } = await startFloor(session, workload.recorded)
  const target = connect(origin, { connections })
  try {
    return await measureOver(session, { connections, perSecond, workload, B: { target, actions } })
  } finally {
    await target.close()
    await stop()
  }
}

interface Measurement {
  readonly connections: number
  readonly workload: Prepared
  readonly B: Pick<Load, 'target' | 'actions'>
  /** Half of the highest rate of B when absent. */
  readonly perSecond?: number
}

async function measureOver(
  { node, ca, options: { seconds, pairs } }: Session,
  { connections, workload, B, ...given }: Measurement,
): Promise<HalfLoadRow> {
  const direct = connect(node, { connections, ...(ca && { ca }) })
  const loads: Record<'A' | 'B', Load> = {
    A: { target: direct, actions: directActions(workload.recorded), seconds },
    B: { ...B, seconds },
  }
  try {
    await closedLoop({ ...loads.A, connections })
    await closedLoop({ ...loads.B, connections })
    const most = await closedLoop({ ...loads.B, connections })
    const { perSecond = most.latencies.length / most.seconds / 2 } = given
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
    await direct.close()
  }
}
