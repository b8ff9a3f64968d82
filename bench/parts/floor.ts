import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compare } from '../compare.ts'
import { connect } from '../http.ts'
import { type LeastRequest, PLACE } from '../least-service.ts'
import type { Action } from '../load.ts'
import { directActions, type Recorded, roundTripsOf } from '../replay.ts'
import type { RequestRow } from '../report.ts'
import { freePort, startProcess } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import type { Prepared } from './requests.ts'

const PROGRAM = join(import.meta.dirname, '../least-service.ts')

/** The least service that could answer the recorded requests. */
export interface Floor {
  readonly pid: number
  readonly origin: string
  /** What its clients send. */
  readonly actions: Action[]
  stop(): Promise<void>
}

/** Starts it on a free port; must be stopped. */
export async function startFloor(
  { node, path }: Session,
  recorded: readonly Recorded[],
): Promise<Floor> {
  const file = path('least-requests.json')
  const requests = recorded.map(
    ({ exchanges, answer }): LeastRequest => ({
      asks: exchanges.map(({ wire: { body, ...ask } }) => ({
        ...ask,
        ...(body === undefined ? {} : { body: body.toString('utf8') }),
      })),
      answer,
    }),
  )
  await writeFile(file, JSON.stringify(requests))
  const port = await freePort()
  const args = [PROGRAM, file, node, String(port)]
  const { pid, stop } = await startProcess(
    { args, cwd: import.meta.dirname, env: {} },
    async (said) => said.includes('listening at'),
  )
  const actions = recorded.map(({ request }, place) => [
    { ...request, headers: { ...request.headers, [PLACE]: String(place) } },
  ])
  return { pid, origin: `http://127.0.0.1:${port}`, actions, stop }
}

/** Compares one workload, direct against the least service. */
export async function measureFloor(
  session: Session,
  stage: Stage,
  { part, hitClass, recorded }: Prepared,
): Promise<RequestRow> {
  const { options } = session
  const floor = await startFloor(session, recorded)
  const target = connect(floor.origin, { connections: options.connections })
  try {
    const comparison = await compare({
      ...options,
      elastic: stage.elastic,
      pid: floor.pid,
      A: { target: stage.direct, actions: directActions(recorded) },
      B: { target, actions: floor.actions },
    })
    return {
      part,
      ...(hitClass ? { hitClass } : {}),
      isFloor: true,
      distinct: recorded.length,
      roundTrips: roundTripsOf(recorded),
      comparison,
    }
  } finally {
    await target.close()
    await floor.stop()
  }
}
