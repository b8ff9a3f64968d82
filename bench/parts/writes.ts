import { setTimeout as sleep } from 'node:timers/promises'
import type { Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { productAt } from '../catalog/product.ts'
import { connect, jsonOf } from '../http.ts'
import { CATALOG, type Organization, openOrganization } from '../organization.ts'
import { startRecorder } from '../recorder.ts'
import type { WritesRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { blockOrder, median, pairRatios, type Side } from '../statistics.ts'
import { collectWrites, replayWrites, type Writes } from '../writes.ts'

const PAIRS = 3
/** Requests under way at once. */
const CONNECTIONS = 2
const ORGANIZATION = 'bench'
const POLL_MS = 25

/** What is sent: full batches of new products, then full requests of offers of these. */
const KINDS = ['batch', 'offers'] as const
type Kind = (typeof KINDS)[number]
const PART: Record<Kind, number> = { batch: 1_000, offers: 5_000 }

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

const PATH: Record<Kind, string> = {
  batch: `/api/Catalog/${CATALOG}/products/batch`,
  offers: `/api/Catalog/${CATALOG}/offers`,
}

/** Sends everything of a kind; answers the seconds until all of it is stored, its log entries too. */
async function sendAll(
  organization: Organization,
  kind: Kind,
  { products, elastic }: { products: number; elastic: Elastic },
): Promise<number> {
  const wires = Array.from({ length: Math.ceil(products / PART[kind]) }, (_, i) => {
    const from = i * PART[kind]
    const body = bodyOf(kind, from, Math.min(products, from + PART[kind]))
    return organization.wire('POST', PATH[kind], body)
  })
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < wires.length) {
      const reply = await organization.target.send(wires[next++]!)
      const { success, message } = jsonOf<{ success: boolean; message: string }>(reply, kind)
      if (!success) throw new Error(`${kind}: ${message}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  while (await hasPending(elastic)) await sleep(POLL_MS)
  return (performance.now() - started) / 1_000
}

/** Whether log entries still wait in products. */
async function hasPending({ client, indexName }: Elastic): Promise<boolean> {
  const index = indexName('products')
  await client.indices.refresh({ index })
  const query = { term: { 'search.pending': true } }
  return (await client.count({ index, query, terminate_after: 1 })).count > 0
}

type Streams = Record<Kind, Writes>

async function record(session: Session): Promise<Streams> {
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions('raw', recorder.node))
  const organization = await openOrganization(service.origin, ORGANIZATION)
  const streams: Partial<Streams> = {}
  try {
    for (const kind of KINDS) {
      const collected = await collectWrites(session.path(`writes-${kind}`))
      recorder.record(({ wire }) => collected.keep(wire))
      const { products } = session.options
      await sendAll(organization, kind, { products, elastic: session.elastic('raw') })
      recorder.stop()
      streams[kind] = await collected.done()
    }
    return streams as Streams
  } finally {
    await organization.close()
    await service.stop()
    await recorder.close()
  }
}

async function rawSeconds(session: Session, streams: Streams): Promise<Record<Kind, number>> {
  await session.drop('raw')
  await prepareIndices(session.elastic('raw'), await readDefinitions('index-mappings'))
  const target = connect(session.node, {
    connections: CONNECTIONS,
    ...(session.ca && { ca: session.ca }),
  })
  try {
    const batch = await replayWrites(target, streams.batch, CONNECTIONS)
    return { batch, offers: await replayWrites(target, streams.offers, CONNECTIONS) }
  } finally {
    await target.close()
  }
}

async function servedSeconds(session: Session): Promise<Record<Kind, number>> {
  await session.drop('served')
  const service = await startService(session.serviceOptions('served'))
  const organization = await openOrganization(service.origin, ORGANIZATION)
  const parts = { products: session.options.products, elastic: session.elastic('served') }
  try {
    const batch = await sendAll(organization, 'batch', parts)
    return { batch, offers: await sendAll(organization, 'offers', parts) }
  } finally {
    await organization.close()
    await service.stop()
  }
}

/** Batches of new products, and offers of them, against a raw stream of all that they write. */
export async function measureWrites(session: Session): Promise<WritesRow[]> {
  const { products } = session.options
  const streams = await record(session)
  const rounds: { side: Side; seconds: Record<Kind, number> }[] = []
  for (const [round, side] of blockOrder(PAIRS).entries()) {
    const seconds = await (side === 'A' ? rawSeconds(session, streams) : servedSeconds(session))
    rounds.push({ side, seconds })
    session.say(`writes ${round + 1} of ${2 * PAIRS} done`)
  }
  await Promise.all(KINDS.map((kind) => streams[kind].close()))
  return KINDS.map((kind) => {
    const rates = rounds.map(({ side, seconds }) => ({ side, value: products / seconds[kind] }))
    const rate = (wanted: Side) =>
      median(rates.filter(({ side }) => side === wanted).map(({ value }) => value))
    const ratios = pairRatios(rates)
    const { bulks, bytes } = streams[kind]
    return {
      kind,
      products,
      ratio: median(ratios),
      ratios,
      rawRate: rate('A'),
      serviceRate: rate('B'),
      bulks,
      megabytes: bytes / 1e6,
    }
  })
}
