import type { Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { canonical } from '../equality.ts'
import { connect } from '../http.ts'
import { openOrganizationAlone } from '../organization.ts'
import { processCpu } from '../process-figures.ts'
import { startRecorder } from '../recorder.ts'
import type { ImportRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { blockOrder, median, pairRatios, type Side } from '../statistics.ts'
import { collectWrites, replayWrites, type Writes } from '../writes.ts'

const PAIRS = 3
/** The same name gives the same ids, so the service and the raw stream write the same documents. */
const ORGANIZATION = 'bench'

/** Compares an import through the service with a raw stream of every document that it writes. */
export async function measureImport(session: Session): Promise<ImportRow> {
  const { products } = session.options
  const file = await session.productFile(products)
  const { writes, bulksAtOnce } = await recordImport(session, file)
  const rounds: { side: Side; value: number }[] = []
  const cpu: number[] = []
  for (const [round, side] of blockOrder(PAIRS).entries()) {
    if (side === 'A') {
      const seconds = await rawStream(session, writes, bulksAtOnce)
      rounds.push({ side, value: products / seconds })
    } else {
      const served = await serviceImport(session, file)
      rounds.push({ side, value: products / served.seconds })
      cpu.push(served.cpu / products)
    }
    session.say(`import ${round + 1} of ${2 * PAIRS} done`)
    if (round === 1) await checkEqual(session, products)
  }
  await writes.close()
  const ratios = pairRatios(rounds)
  const rate = (wanted: Side) =>
    median(rounds.filter(({ side }) => side === wanted).map(({ value }) => value))
  return {
    products,
    ratio: median(ratios),
    ratios,
    rawRate: rate('A'),
    serviceRate: rate('B'),
    serviceCpu: median(cpu),
    bulks: writes.bulks,
    bulksAtOnce,
    requests: writes.count,
    megabytes: writes.bytes / 1e6,
  }
}

/** Records one import, under the prefix that the raw stream will write to. */
async function recordImport(session: Session, file: string) {
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions('raw', recorder.node))
  const organization = await openOrganizationAlone(service.origin, ORGANIZATION)
  const collected = await collectWrites(session.path('writes'))
  try {
    const url = await organization.upload(file)
    recorder.record(({ wire }) => collected.keep(wire))
    await organization.import(url)
    const bulksAtOnce = Math.max(1, recorder.stop())
    return { writes: await collected.done(), bulksAtOnce }
  } finally {
    await organization.close()
    await service.stop()
    await recorder.close()
  }
}

async function rawStream(session: Session, writes: Writes, connections: number): Promise<number> {
  await session.drop('raw')
  const elastic = session.elastic('raw')
  await prepareIndices(elastic, await readDefinitions('index-mappings'))
  await elastic.client.cluster.health({
    index: elastic.indexName('*'),
    wait_for_status: 'yellow',
    wait_for_no_initializing_shards: true,
  })
  const target = connect(session.node, { connections, ...(session.ca && { ca: session.ca }) })
  try {
    return await replayWrites(target, writes, connections)
  } finally {
    await target.close()
  }
}

async function serviceImport(session: Session, file: string) {
  await session.drop('served')
  const service = await startService(session.serviceOptions('served'))
  const organization = await openOrganizationAlone(service.origin, ORGANIZATION)
  try {
    const url = await organization.upload(file)
    const before = await processCpu(service.pid)
    const { seconds } = await organization.import(url)
    return { seconds, cpu: (await processCpu(service.pid)) - before }
  } finally {
    await organization.close()
    await service.stop()
  }
}

const SAMPLE = 500
const SEED = 42

/** Throws an Error unless both indices have the same number of documents and an equal sample. */
async function checkEqual(session: Session, products: number): Promise<void> {
  const [raw, served] = [session.elastic('raw'), session.elastic('served')]
  const counts = await Promise.all([raw, served].map(countProducts))
  if (counts.some((count) => count !== products)) {
    throw new Error(`void: ${counts[0]} products by the raw stream, ${counts[1]} by the service`)
  }
  const sample = await sampleOf(raw)
  const others = await served.client.mget<object>({
    index: served.indexName('products'),
    docs: sample.map(({ _id, _routing: routing }) => (routing ? { _id, routing } : { _id })),
  })
  for (const [i, { _id, _source }] of sample.entries()) {
    const other = others.docs[i]!
    const found = 'found' in other && other.found ? other._source : undefined
    if (timeless(_source) !== timeless(found)) throw new Error(`void: product ${_id} differs`)
  }
}

async function countProducts({ client, indexName }: Elastic): Promise<number> {
  const index = indexName('products')
  await client.indices.refresh({ index })
  return (await client.count({ index })).count
}

interface Sampled {
  readonly _id: string
  readonly _routing?: string
  readonly _source: object
}

async function sampleOf({ client, indexName }: Elastic): Promise<Sampled[]> {
  const { hits } = await client.search<object>({
    index: indexName('products'),
    size: SAMPLE,
    query: { function_score: { functions: [{ random_score: { seed: SEED, field: '_seq_no' } }] } },
  })
  return hits.hits as Sampled[]
}

/**
 * Removes what differs between two imports of a file: the times, the task, and the digest of the
 * row.
 */
function timeless(document: object | undefined): string {
  return canonical(document).replace(
    /"(?:created|lastUpdated)":"[^"]*"|"imported":\{[^{}]*\}|"rowDigest":"[^"]*"/g,
    '',
  )
}
