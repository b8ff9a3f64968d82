import { setTimeout as sleep } from 'node:timers/promises'
import type { Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { productAt } from '../catalog/product.ts'
import { connect, jsonOf } from '../http.ts'
import { CATALOG, type Organization, openOrganizationAlone } from '../organization.ts'
import { engineCpu, processCpu } from '../process-figures.ts'
import { startRecorder } from '../recorder.ts'
import type { WritesRow } from '../report.ts'
import { type RunningService, startService } from '../service.ts'
import type { Session } from '../session.ts'
import { blockOrder, median, pairRatios, type Side } from '../statistics.ts'
import { collectWrites, replayWrites, type Writes } from '../writes.ts'

const PAIRS = 3
/** Number of concurrent requests. */
const CONNECTIONS = 2
const ORGANIZATION = 'bench'
/** A poll refreshes the index, which costs as much as many products do. */
const POLL_MS = 200

/** Measured kinds: full batches of new products, then full requests of offers for them. */
const KINDS = ['batch', 'offers'] as const
/**
 * Both kinds run first in another catalog, while the code of the new process is still being
 * compiled.
 */
const WARMING = { 'warm-up batch': 'batch', 'warm-up offers': 'offers' } as const
const PHASES = ['warm-up batch', 'warm-up offers', ...KINDS] as const
type Phase = (typeof PHASES)[number]
type Kind = (typeof KINDS)[number]
const isWarming = (phase: Phase): phase is keyof typeof WARMING => phase in WARMING
const kindOf = (phase: Phase): Kind => (isWarming(phase) ? WARMING[phase] : phase)
const PART: Record<Kind, number> = { batch: 1_000, offers: 5_000 }
const WARM_UP = 10_000
const WARM_CATALOG = 'warm-up'

function bodyOf(kind: Kind, from: number, to: number): object {
  const products = Array.from({ length: to - from }, (_, i) => productAt(from + i))
  if (kind === 'batch') {
    return { operations: products.map((product) => ({ action: 'create', product })) }
  }
  const offers = products.map(({ id, vendors: [offer] }) => {
    const { vendorName, cost, onHand } = offer!
    return { id, vendorName, cost: cost + 1, onHand: onHand + 1 }
  })
  return { offers }
}

const PATH: Record<Kind, string> = { batch: 'products/batch', offers: 'offers' }

interface Sending {
  readonly phase: Phase
  /** Number of products in the measured phases. */
  readonly products: number
  readonly elastic: Elastic
}

/** Sends all requests of a phase. Returns the seconds until all is stored, log entries included. */
async function sendAll(
  organization: Organization,
  { phase, products, elastic }: Sending,
): Promise<number> {
  const kind = kindOf(phase)
  const [catalog, count] = isWarming(phase) ? [WARM_CATALOG, WARM_UP] : [CATALOG, products]
  const wires = Array.from({ length: Math.ceil(count / PART[kind]) }, (_, i) => {
    const from = i * PART[kind]
    const body = bodyOf(kind, from, Math.min(count, from + PART[kind]))
    return organization.wire('POST', `/api/Catalog/${catalog}/${PATH[kind]}`, body)
  })
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < wires.length) {
      const reply = await organization.target.send(wires[next++]!)
      const { success, message } = jsonOf<{ success: boolean; message: string }>(reply, phase)
      if (!success) throw new Error(`${phase}: ${message}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  while (await hasPending(elastic)) await sleep(POLL_MS)
  return (performance.now() - started) / 1_000
}

/** Whether products still contain pending log entries. */
async function hasPending({ client, indexName }: Elastic): Promise<boolean> {
  const index = indexName('products')
  await client.indices.refresh({ index })
  const query = { term: { 'search.pending': true } }
  return (await client.count({ index, query, terminate_after: 1 })).count > 0
}

interface Stream {
  readonly writes: Writes
  /** Maximum of concurrent bulk requests. */
  readonly bulksAtOnce: number
}
type Streams = Record<Phase, Stream>

async function record(session: Session): Promise<Streams> {
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions('raw', recorder.node))
  const organization = await openAlone(service)
  const streams: Partial<Streams> = {}
  try {
    for (const phase of PHASES) {
      const collected = await collectWrites(session.path(`writes-${phase}`))
      recorder.record(({ wire }) => collected.keep(wire))
      const { products } = session.options
      await sendAll(organization, { phase, products, elastic: session.elastic('raw') })
      const bulksAtOnce = Math.max(1, recorder.stop())
      streams[phase] = { writes: await collected.done(), bulksAtOnce }
    }
    return streams as Streams
  } finally {
    await organization.close()
    await service.stop()
    await recorder.close()
  }
}

async function openAlone({ origin }: RunningService): Promise<Organization> {
  const organization = await openOrganizationAlone(origin, ORGANIZATION)
  await organization.call('POST', '/api/Catalog', { name: WARM_CATALOG, active: true })
  return organization
}

/** Cost of one side: seconds, and microseconds of processor time. */
interface Cost {
  readonly seconds: number
  readonly engineCpu: number
  readonly serviceCpu: number
}
type Costs = Record<Phase, Cost>

async function rawCosts(session: Session, streams: Streams): Promise<Costs> {
  await session.drop('raw')
  const elastic = session.elastic('raw')
  await prepareIndices(elastic, await readDefinitions('index-mappings'))
  const costOf = async ({ writes, bulksAtOnce }: Stream): Promise<Cost> => {
    const target = connect(session.node, {
      connections: bulksAtOnce,
      ...(session.ca && { ca: session.ca }),
    })
    try {
      const before = await engineCpu(elastic)
      const started = performance.now()
      await replayWrites(target, writes, bulksAtOnce)
      // The other side refreshes as well, to see what is searchable.
      await elastic.client.indices.refresh({ index: elastic.indexName('products') })
      const seconds = (performance.now() - started) / 1_000
      return { seconds, engineCpu: (await engineCpu(elastic)) - before, serviceCpu: 0 }
    } finally {
      await target.close()
    }
  }
  return ofEachPhase((phase) => costOf(streams[phase]))
}

async function ofEachPhase(costOf: (phase: Phase) => Promise<Cost>): Promise<Costs> {
  const costs: Partial<Costs> = {}
  for (const phase of PHASES) costs[phase] = await costOf(phase)
  return costs as Costs
}

async function servedCosts(session: Session): Promise<Costs> {
  await session.drop('served')
  const service = await startService(session.serviceOptions('served'))
  const organization = await openAlone(service)
  const elastic = session.elastic('served')
  const costOf = async (phase: Phase): Promise<Cost> => {
    const cpu = () => Promise.all([engineCpu(elastic), processCpu(service.pid)])
    const before = await cpu()
    const { products } = session.options
    const seconds = await sendAll(organization, { phase, products, elastic })
    const [engine, own] = await cpu()
    return { seconds, engineCpu: engine - before[0], serviceCpu: own - before[1] }
  }
  try {
    return await ofEachPhase(costOf)
  } finally {
    await organization.close()
    await service.stop()
  }
}

/**
 * Compares batches of new products, and offers for them, with a raw stream of all that they write.
 */
export async function measureWrites(session: Session): Promise<WritesRow[]> {
  const { products } = session.options
  const streams = await record(session)
  const rounds: { side: Side; costs: Costs }[] = []
  for (const [round, side] of blockOrder(PAIRS).entries()) {
    const costs = await (side === 'A' ? rawCosts(session, streams) : servedCosts(session))
    rounds.push({ side, costs })
    session.say(`writes ${round + 1} of ${2 * PAIRS} done`)
  }
  await Promise.all(PHASES.map((phase) => streams[phase].writes.close()))
  return KINDS.map((kind) => {
    const ratios = pairRatios(
      rounds.map(({ side, costs }) => ({ side, value: products / costs[kind].seconds })),
    )
    const medianOf = (wanted: Side, figure: (cost: Cost) => number) =>
      median(rounds.filter(({ side }) => side === wanted).map(({ costs }) => figure(costs[kind])))
    const each = (wanted: Side, part: 'engineCpu' | 'serviceCpu') =>
      medianOf(wanted, (cost) => cost[part] / products)
    const { writes, bulksAtOnce } = streams[kind]
    return {
      kind,
      products,
      ratio: median(ratios),
      ratios,
      rawRate: medianOf('A', ({ seconds }) => products / seconds),
      serviceRate: medianOf('B', ({ seconds }) => products / seconds),
      rawEngineCpu: each('A', 'engineCpu'),
      engineCpu: each('B', 'engineCpu'),
      serviceCpu: each('B', 'serviceCpu'),
      bulks: writes.bulks,
      bulksAtOnce,
      megabytes: writes.bytes / 1e6,
    }
  })
}
