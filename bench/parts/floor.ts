import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compare } from '../compare.ts'
import { connect } from '../http.ts'
import { type LeastRequest, PLACE } from '../least-service.ts'
import { directActions, roundTripsOf } from '../replay.ts'
import type { RequestRow } from '../report.ts'
import { freePort, startProcess } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import type { Prepared } from './requests.ts'

const PROGRAM = join(import.meta.dirname, '../least-service.ts')

/** Compares one workload, direct against the least service that could answer it. */
export async function measureFloor(
  { options, node, path }: Session,
  stage: Stage,
  { part, hitClass, recorded }: Prepared,
): Promise<RequestRow> {
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
  const least = await startProcess({ args, cwd: import.meta.dirname, env: {} }, async (said) =>
    said.includes('listening at'),
  )
  const target = connect(`http://127.0.0.1:${port}`, { connections: options.connections })
  const actions = recorded.map(({ request }, place) => [
    { ...request, headers: { ...request.headers, [PLACE]: String(place) } },
  ])
  try {
    const comparison = await compare({
      ...options,
      elastic: stage.elastic,
      pid: least.pid,
      A: { target: stage.direct, actions: directActions(recorded) },
      B: { target, actions },
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
    await least.stop()
  }
}
