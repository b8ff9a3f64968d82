import type { Elastic } from '../src/elastic/client.ts'
import type { Target } from './http.ts'
import { type Action, closedLoop } from './load.ts'
import { engineCpu, processCpu } from './process-figures.ts'
import { isSteady, median, quantile } from './statistics.ts'

/** One side of a comparison: the actions to measure and the server that they are sent to. */
export interface Contestant {
  readonly target: Target
  readonly actions: readonly Action[]
  /** Process id of the service; absent if no service takes part. */
  readonly pid?: number
}

interface BlockOptions {
  readonly elastic: Elastic
  readonly seconds: number
  readonly connections: number
}

export interface SideFigures {
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

/** Figures of one contestant in one block. */
export interface Block {
  /** Actions per second. */
  readonly value: number
  readonly latencies: readonly number[]
  readonly errors: number
  readonly cpu: SideFigures['cpu']
}

const WARM_UP_WINDOWS = 12

/** Calls a contestant until its rate is steady over three windows in a row. */
export async function warmUp(
  contestant: Contestant,
  { connections, seconds }: BlockOptions,
): Promise<void> {
  const rates: number[] = []
  const load = { ...contestant, connections, seconds: Math.min(1, seconds / 2) }
  while (rates.length < WARM_UP_WINDOWS && !isSteady(rates)) {
    const measured = await closedLoop(load)
    rates.push(measured.latencies.length / measured.seconds)
  }
}

export async function measureBlock(contestant: Contestant, options: BlockOptions): Promise<Block> {
  const { seconds, connections, elastic } = options
  const before = await cpuOf(elastic, contestant)
  const measured = await closedLoop({ ...contestant, seconds, connections })
  const after = await cpuOf(elastic, contestant)
  const count = measured.latencies.length
  const spent = (name: keyof SideFigures['cpu']) => (after[name] - before[name]) / count
  return {
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

/** Combines the figures of all blocks of one contestant. */
export function figuresOf(blocks: readonly Block[]): SideFigures {
  const latencies = blocks.flatMap((block) => block.latencies)
  const cpu = (name: keyof SideFigures['cpu']) => median(blocks.map((block) => block.cpu[name]))
  return {
    rate: median(blocks.map(({ value }) => value)),
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
async function cpuOf(elastic: Elastic, { pid }: Contestant): Promise<SideFigures['cpu']> {
  const { user, system } = process.cpuUsage()
  return {
    elasticsearch: await engineCpu(elastic),
    service: pid === undefined ? 0 : await processCpu(pid),
    caller: user + system,
  }
}
