import { randomFrom } from '../demo/random.ts'
import type { Elastic } from '../src/elastic/client.ts'
import {
  type Block,
  type Contestant,
  figuresOf,
  measureBlock,
  type SideFigures,
  warmUp,
} from './blocks.ts'
import {
  blockOrder,
  bootstrapInterval,
  type Interval,
  median,
  pairRatios,
  type Side,
} from './statistics.ts'

/** A is Elasticsearch called directly, B the service. */
export interface Match {
  readonly A: Contestant
  readonly B: Contestant
  readonly elastic: Elastic
  /** Process id of the service; absent if no service takes part. */
  readonly pid?: number
  readonly seconds: number
  readonly pairs: number
  readonly connections: number
}

export interface Comparison {
  /** Rate of B divided by the rate of A: the median of the pairs, and its 95 % interval. */
  readonly ratio: number
  readonly interval: Interval
  readonly ratios: readonly number[]
  readonly sides: Readonly<Record<Side, SideFigures>>
  readonly errors: number
}

/** Measures both sides in interleaved blocks, so that other load on the machine affects both. */
export async function compare(match: Match): Promise<Comparison> {
  const { pid, pairs } = match
  const sideOf = (side: Side): Contestant => ({ ...match[side], ...(pid ? { pid } : {}) })
  for (const side of ['A', 'B'] as const) await warmUp(sideOf(side), match)
  const blocks: (Block & { readonly side: Side })[] = []
  for (const side of blockOrder(pairs)) {
    blocks.push({ side, ...(await measureBlock(sideOf(side), match)) })
  }
  const ratios = pairRatios(blocks)
  const figures = (side: Side) => figuresOf(blocks.filter((block) => block.side === side))
  return {
    ratio: median(ratios),
    interval: bootstrapInterval(ratios, randomFrom('interval')),
    ratios,
    sides: { A: figures('A'), B: figures('B') },
    errors: blocks.reduce((sum, { errors }) => sum + errors, 0),
  }
}
