import { compare } from '../compare.ts'
import {
  canonical,
  directFindings,
  disagreement,
  firstDifference,
  serviceFindings,
} from '../equality.ts'
import { connect } from '../http.ts'
import type { Part } from '../options.ts'
import { openOrganization } from '../organization.ts'
import { startRecorder } from '../recorder.ts'
import {
  directActions,
  type Recorded,
  recordRequests,
  roundTripsOf,
  serviceActions,
} from '../replay.ts'
import type { RequestRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { median } from '../statistics.ts'
import {
  classify,
  isSearching,
  otherWorkload,
  searchWorkloads,
  type Workload,
} from '../workload.ts'

export interface Prepared extends Workload {
  readonly recorded: readonly Recorded[]
}

/** Parts that use the recorded searches with facets for another measurement. */
const NEED_SEARCHES: readonly Part[] = ['control', 'hot', 'half-load', 'encodings', 'under-import']

/**
 * Records the requests to Elasticsearch for each part's requests, in a service on the same indices.
 */
export async function prepareRequests(session: Session, stage: Stage): Promise<Prepared[]> {
  const { parts, products, distinct } = session.options
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions(stage.name, recorder.node))
  const organization = await openOrganization(service.origin, stage.organizationId, {
    exists: true,
  })
  try {
    const classes = await classify(organization, { products, distinct })
    const searching = parts.some((part) => NEED_SEARCHES.includes(part))
      ? ['search' as const, ...(parts.includes('hot') ? ['metadata' as const] : []), ...parts]
      : parts
    const workloads = [...new Set(searching)].flatMap((part): Workload[] => {
      if (isSearching(part)) return searchWorkloads(part, classes, stage.organization)
      if (part === 'metadata' || part === 'quicksearch' || part === 'product') {
        return [otherWorkload(part, stage.organization, { products, distinct })]
      }
      return []
    })
    const index = stage.elastic.indexName('products')
    const prepared: Prepared[] = []
    for (const workload of workloads) {
      const { requests } = workload
      const recorded = await recordRequests(recorder, organization, { requests, index })
      prepared.push({ ...workload, recorded })
    }
    return prepared
  } finally {
    await organization.close()
    await service.stop()
    await recorder.close()
  }
}

/** Throws an Error at the first answer that differs: figures of unequal work are meaningless. */
export async function checkEqual(
  { direct, organization }: Pick<Stage, 'direct' | 'organization'>,
  { part, recorded }: Pick<Prepared, 'part' | 'recorded'>,
) {
  for (const { request, answer, exchanges } of recorded) {
    const fail = (why: string): never => {
      const asked = request.body?.toString('utf8') ?? request.path
      throw new Error(`void: answers to ${part} ${asked} differ: ${why}`)
    }
    if (exchanges.length === 0) fail('the service asked Elasticsearch nothing')
    const served = await organization.target.send(request)
    const again: unknown = JSON.parse(served.body.toString('utf8'))
    const compared = (who: string, now: unknown, before: unknown) => {
      const [one, other] = [canonical(now), canonical(before)]
      if (one === other) return
      fail(`${who} answers otherwise than recorded: ${firstDifference(one, other)}`)
    }
    compared('the service', again, answer)
    const answers: unknown[] = []
    for (const { wire, reply } of exchanges) {
      const { body } = await direct.send(wire)
      answers.push(JSON.parse(body.toString('utf8')))
      compared('Elasticsearch', answers.at(-1), JSON.parse(reply.body.toString('utf8')))
    }
    const why = disagreement(directFindings(answers), serviceFindings(again))
    if (why !== undefined) fail(why)
  }
}

/** Compares one workload, direct against served, after checking that the answers are equal. */
export async function measureRequests(
  { options }: Session,
  stage: Stage,
  workload: Prepared,
): Promise<RequestRow> {
  await checkEqual(stage, workload)
  const { part, hitClass, hits, recorded } = workload
  const comparison = await compare({
    ...options,
    elastic: stage.elastic,
    pid: stage.service.pid,
    A: { target: stage.direct, actions: directActions(recorded) },
    B: { target: stage.organization.target, actions: serviceActions(recorded) },
  })
  return {
    part,
    ...(hitClass ? { hitClass } : {}),
    ...(hits.length > 0 ? { medianHits: median(hits) } : {}),
    distinct: recorded.length,
    roundTrips: roundTripsOf(recorded),
    comparison,
  }
}

/** Compares direct with direct, to show the ratio of two equal sides on this machine. */
export async function measureControl(
  session: Session,
  stage: Stage,
  workload: Prepared,
): Promise<RequestRow> {
  const { node, ca, options } = session
  const other = connect(node, { connections: options.connections, ...(ca && { ca }) })
  const actions = directActions(workload.recorded)
  const comparison = await compare({
    ...options,
    elastic: stage.elastic,
    A: { target: stage.direct, actions },
    B: { target: other, actions },
  })
  await other.close()
  const { hitClass } = workload
  const distinct = actions.length
  return { part: 'control', ...(hitClass ? { hitClass } : {}), distinct, roundTrips: 1, comparison }
}
