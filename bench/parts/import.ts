import { join } from 'node:path'
import type { Elastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { canonical } from '../equality.ts'
import { connect, jsonOf } from '../http.ts'
import type { LeastImport } from '../least-import.ts'
import { openOrganizationAlone } from '../organization.ts'
import { engineCpu, processCpu } from '../process-figures.ts'
import { startRecorder } from '../recorder.ts'
import type { ImportFigures, ImportRow } from '../report.ts'
import { freePort, startProcess, startService } from '../service.ts'
import type { Session } from '../session.ts'
import { blockOrder, median, pairRatios, type Side } from '../statistics.ts'
import { collectWrites, replayWrites, type Writes } from '../writes.ts'

const PAIRS = 3
const WRITES = 'writes'
const PROGRAM = join(import.meta.dirname, '../least-import.ts')
/** The same name gives the same ids, so the service and the raw stream write the same documents. */
const ORGANIZATION = 'bench'

interface MeasuredImport {
  readonly seconds: number
  /** Microseconds of processor time: of the importing process, and of Elasticsearch. */
  readonly cpu: number
  readonly engineCpu: number
}

type RawStream = Omit<MeasuredImport, 'cpu'>

const hasCpu = (measured: RawStream | MeasuredImport): measured is MeasuredImport =>
  'cpu' in measured

/**
 * Compares an import through the service with a raw stream of every document that it writes, and
 * with `floor` the least import as well.
 */
export async function measureImport(session: Session): Promise<ImportRow> {
  const { products, parts } = session.options
  const rows = await session.productFile(products)
  const { writes, bulksAtOnce } = await recordImport(session, rows)
  const raw = () => rawStream(session, writes, bulksAtOnce)
  const served = await besideRaw(session, raw, () => serviceImport(session, rows))
  const least: LeastImport = {
    rows,
    products,
    writes: session.path(WRITES),
    node: session.node,
    connections: bulksAtOnce,
  }
  const floor = parts.includes('floor')
    ? await besideRaw(session, raw, () => leastImport(session, least))
    : undefined
  await writes.close()
  return {
    products,
    ...served,
    ...(floor ? { floor } : {}),
    bulks: writes.bulks,
    bulksAtOnce,
    requests: writes.count,
    megabytes: writes.bytes / 1e6,
  }
}

/** Measures imports in turns with the raw stream, whose first pair must write the same. */
async function besideRaw(
  session: Session,
  raw: () => Promise<RawStream>,
  other: () => Promise<MeasuredImport>,
): Promise<ImportFigures> {
  const { products } = session.options
  const rounds: { side: Side; value: number }[] = []
  const cpu: number[] = []
  const engine: typeof rounds = []
  for (const [round, side] of blockOrder(PAIRS).entries()) {
    const measured = side === 'A' ? await raw() : await other()
    rounds.push({ side, value: products / measured.seconds })
    engine.push({ side, value: measured.engineCpu / products })
    if (hasCpu(measured)) cpu.push(measured.cpu / products)
    session.say(`import ${round + 1} of ${2 * PAIRS} done`)
    if (round === 1) await checkEqual(session, products)
  }
  const ratios = pairRatios(rounds)
  return {
    ratio: median(ratios),
    ratios,
    rawRate: medianOf(rounds, 'A'),
    serviceRate: medianOf(rounds, 'B'),
    serviceCpu: median(cpu),
    rawEngineCpu: medianOf(engine, 'A'),
    engineCpu: medianOf(engine, 'B'),
  }
}

const medianOf = (rounds: readonly { side: Side; value: number }[], wanted: Side): number =>
  median(rounds.filter(({ side }) => side === wanted).map(({ value }) => value))

/** Records one import, under the prefix that the raw stream will write to. */
async function recordImport(session: Session, file: string) {
  const recorder = await startRecorder(session)
  const service = await startService(session.serviceOptions('raw', recorder.node))
  const organization = await openOrganizationAlone(service.origin, ORGANIZATION)
  const collected = await collectWrites(session.path(WRITES))
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

/** Creates the empty indices of a prefix. */
async function createIndices(session: Session, name: string): Promise<void> {
  await session.drop(name)
  const elastic = session.elastic(name)
  await prepareIndices(elastic, await readDefinitions('index-mappings'))
  await elastic.client.cluster.health({
    index: elastic.indexName('*'),
    wait_for_status: 'yellow',
    wait_for_no_initializing_shards: true,
  })
}

/** Measures the processor time of Elasticsearch meanwhile. */
async function withEngineCpu<R>(
  session: Session,
  work: () => Promise<R>,
): Promise<R & Pick<MeasuredImport, 'engineCpu'>> {
  const elastic = session.elastic('raw')
  const before = await engineCpu(elastic)
  const result = await work()
  return { ...result, engineCpu: (await engineCpu(elastic)) - before }
}

async function rawStream(
  session: Session,
  writes: Writes,
  connections: number,
): Promise<RawStream> {
  await createIndices(session, 'raw')
  const target = connect(session.node, { connections, ...(session.ca && { ca: session.ca }) })
  try {
    return await withEngineCpu(session, async () => ({
      seconds: await replayWrites(target, writes, connections),
    }))
  } finally {
    await target.close()
  }
}

/** Measures an import by a process. */
const withCpu = (
  session: Session,
  pid: number,
  work: () => Promise<{ seconds: number }>,
): Promise<MeasuredImport> =>
  withEngineCpu(session, async () => {
    const before = await processCpu(pid)
    const { seconds } = await work()
    return { seconds, cpu: (await processCpu(pid)) - before }
  })

/** The least import in a process of its own. */
async function leastImport(session: Session, least: LeastImport): Promise<MeasuredImport> {
  await createIndices(session, 'raw')
  const port = await freePort()
  const args = [PROGRAM, JSON.stringify(least), String(port)]
  const { pid, stop } = await startProcess(
    { args, cwd: import.meta.dirname, env: {} },
    async (said) => said.includes('listening at'),
  )
  const target = connect(`http://127.0.0.1:${port}`, { connections: 1 })
  try {
    return await withCpu(session, pid, async () => {
      const reply = await target.send({ method: 'POST', path: '/', headers: {} })
      return jsonOf<{ seconds: number }>(reply, 'least import')
    })
  } finally {
    await target.close()
    await stop()
  }
}

async function serviceImport(session: Session, file: string): Promise<MeasuredImport> {
  await session.drop('served')
  const service = await startService(session.serviceOptions('served'))
  const organization = await openOrganizationAlone(service.origin, ORGANIZATION)
  try {
    const url = await organization.upload(file)
    return await withCpu(session, service.pid, () => organization.import(url))
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
