import { randomFrom } from '../demo/random.ts'
import type { Elastic } from '../src/elastic/client.ts'
import type { Target } from './http.ts'
import { type Action, closedLoop } from './load.ts'
import { processCpu } from './process-figures.ts'
import {
  blockOrder,
  bootstrapInterval,
  type Interval,
  isSteady,
  median,
  pairRatios,
  quantile,
  type Side,
} from './statistics.ts'

/** One way of doing the same work. */
interface Contestant {
  readonly target: Target
  readonly actions: readonly Action[]
}

/** A is Elasticsearch called directly, B the service. */
export interface Match {
  readonly A: Contestant
  readonly B: Contestant
  readonly elastic: Elastic
  /** Process of the service; absent when no service takes part. */
  readonly pid?: number
  readonly seconds: number
  readonly pairs: number
  readonly connections: number
}

interface SideFigures {
  /** Actions per second: the median of the blocks. */
  readonly rate: number
  /** Milliseconds over all blocks. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Microseconds of processor time per action. */
  readonly cpu: {
    readonly elasticsearch: number
    readonly service: number
    readonly caller: number
  }
}

export interface Comparison {
  /** Rate of B divided by that of A: the median of the pairs, and its 95 % interval. */
  readonly ratio: number
  readonly interval: Interval
  readonly ratios: readonly number[]
  readonly sides: Readonly<Record<Side, SideFigures>>
  readonly errors: number
}

interface Block {
  readonly side: Side
  readonly value: number
  readonly latencies: readonly number[]
  readonly errors: number
  readonly cpu: SideFigures['cpu']
}

/** Measures both sides in interleaved blocks, so that what the machine does else meets both. */
export async function compare(match: Match): Promise<Comparison> {
  for (const side of ['A', 'B'] as const) await warmUp(match, side)
  const blocks: Block[] = []
  for (const side of blockOrder(match.pairs)) blocks.push(await measure(match, side))
  const ratios = pairRatios(blocks)
  return {
    ratio: median(ratios),
    interval: bootstrapInterval(ratios, randomFrom('interval')),
    ratios,
    sides: { A: figures(blocks, 'A'), B: figures(blocks, 'B') },
    errors: blocks.reduce((sum, { errors }) => sum + errors, 0),
  }
}

const WARM_UP_WINDOWS = 12

async function warmUp({ connections, seconds, ...match }: Match, side: Side): Promise<void> {
  const rates: number[] = []
  const load = { ...match[side], connections, seconds: Math.min(1, seconds / 2) }
  while (rates.length < WARM_UP_WINDOWS && !isSteady(rates)) {
    const measured = await closedLoop(load)
    rates.push(measured.latencies.length / measured.seconds)
  }
}

async function measure(match: Match, side: Side): Promise<Block> {
  const { seconds, connections } = match
  const before = await cpuOf(match)
  const measured = await closedLoop({ ...match[side], seconds, connections })
  const after = await cpuOf(match)
  const count = measured.latencies.length
  const spent = (name: keyof SideFigures['cpu']) => (after[name] - before[name]) / count
  return {
    side,
    value: count / measured.seconds,
    latencies: measured.latencies,
    errors: measured.errors,
    cpu: {
      elasticsearch: spent('elasticsearch'),
      service: spent('service'),
      caller: spent('caller'),
    },
  }
}

function figures(blocks: readonly Block[], side: Side): SideFigures {
  const own = blocks.filter((block) => block.side === side)
  const latencies = own.flatMap((block) => block.latencies)
  const cpu = (name: keyof SideFigures['cpu']) => median(own.map((block) => block.cpu[name]))
  return {
    rate: median(own.map(({ value }) => value)),
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    cpu: {
      elasticsearch: cpu('elasticsearch'),
      service: cpu('service'),
      caller: cpu('caller'),
    },
  }
}

/** Microseconds of processor time used so far. */
async function cpuOf({ elastic, pid }: Match): Promise<SideFigures['cpu']> {
  const { user, system } = process.cpuUsage()
  return {
    elasticsearch: await elasticsearchCpu(elastic),
    service: pid === undefined ? 0 : await processCpu(pid),
    caller: user + system,
  }
}

async function elasticsearchCpu({ client }: Elastic): Promise<number> {
  const { nodes } = await client.nodes.stats({ metric: 'process' })
  return Object.values(nodes).reduce(
    (sum, node) => sum + (node.process?.cpu?.total_in_millis ?? 0) * 1_000,
    0,
  )
}
