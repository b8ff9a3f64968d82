import { randomFrom } from '../../demo/random.ts'
import { zipf } from '../catalog/words.ts'
import { compare } from '../compare.ts'
import type { Wire } from '../http.ts'
import type { Action } from '../load.ts'
import { openOrganization } from '../organization.ts'
import { directActions, type Recorded, roundTripsOf, serviceActions } from '../replay.ts'
import type { RequestRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { checkEqual, type Prepared } from './requests.ts'

/** Length of the sequence of requests before it repeats: more than a block sends. */
const SEQUENCE = 20_000

/** Measures a service with its answer cache on, under requests with a Zipf distribution. */
export async function measureHot(
  session: Session,
  stage: Stage,
  workloads: readonly Prepared[],
): Promise<RequestRow[]> {
  const service = await startService({
    ...session.serviceOptions(stage.name),
    keepsAnswers: true,
  })
  const organization = await openOrganization(service.origin, stage.organizationId, {
    exists: true,
  })
  const { options } = session
  const of = (part: Prepared['part']) =>
    workloads.filter((one) => one.part === part).flatMap(({ recorded }) => recorded)
  const measured = async (
    part: 'hot' | 'hot-metadata',
    recorded: readonly Recorded[],
    { A, B }: Record<'A' | 'B', readonly Action[]>,
  ): Promise<RequestRow> => {
    // Three times, so that cached answers are compared as well.
    for (let turn = 0; turn < 3; turn++) {
      await checkEqual({ direct: stage.direct, organization }, { part: 'search', recorded })
    }
    const comparison = await compare({
      ...options,
      elastic: stage.elastic,
      pid: service.pid,
      A: { target: stage.direct, actions: A },
      B: { target: organization.target, actions: B },
    })
    return { part, distinct: recorded.length, roundTrips: roundTripsOf(recorded), comparison }
  }
  try {
    const searches = mixed(of('search'))
    const random = randomFrom('hot')
    const draw = zipf(searches.length)
    const places = Array.from({ length: SEQUENCE }, () => draw(random))
    const inTurn = (actions: readonly Action[]) => places.map((place) => actions[place]!)
    const hot = await measured('hot', searches, {
      A: inTurn(directActions(searches)),
      B: inTurn(serviceActions(searches)),
    })
    const metadata = of('metadata')
    const counted = await measured('hot-metadata', metadata, {
      A: directActions(metadata).map((action) => action.map(uncached)),
      B: serviceActions(metadata),
    })
    return [hot, counted]
  } finally {
    await organization.close()
    await service.stop()
  }
}

/** Shuffles the requests, so that the frequent ones are of all hit classes. */
function mixed(recorded: readonly Recorded[]): Recorded[] {
  const random = randomFrom('mixed')
  return recorded
    .map((one) => [random.next(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
}

/** Turns off Elasticsearch's request cache for a request. */
const uncached = (wire: Wire): Wire => ({
  ...wire,
  path: `${wire.path}${wire.path.includes('?') ? '&' : '?'}request_cache=false`,
})
