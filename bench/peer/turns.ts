import { randomFrom } from '../../demo/random.ts'
import type { Elastic } from '../../src/elastic/client.ts'
import {
  type Block,
  type Contestant,
  figuresOf,
  measureBlock,
  type SideFigures,
  warmUp,
} from '../blocks.ts'
import { bootstrapInterval, type Interval, median } from '../statistics.ts'

interface TurnOptions {
  readonly elastic: Elastic
  readonly seconds: number
  readonly connections: number
  readonly turns: number
}

export interface TurnFigures extends SideFigures {
  /** Rate of the first contestant divided by the rate of this one: the median of the turns. */
  readonly behind: number
  readonly interval: Interval
  readonly errors: number
}

/**
 * Order of the contestants in a turn, 0 1 2, 1 2 0, 2 0 1 …, so that each begins equally often.
 * Pure.
 */
export const turnOrder = (contestants: number, turn: number): number[] =>
  Array.from({ length: contestants }, (_, at) => (at + turn) % contestants)

/** Measures several contestants in turns, so that other load on the machine affects all of them. */
export async function measureTurns(
  contestants: readonly Contestant[],
  options: TurnOptions,
): Promise<TurnFigures[]> {
  for (const contestant of contestants) await warmUp(contestant, options)
  const blocks: Block[][] = contestants.map(() => [])
  for (let turn = 0; turn < options.turns; turn++) {
    for (const at of turnOrder(contestants.length, turn)) {
      blocks[at]!.push(await measureBlock(contestants[at]!, options))
    }
  }
  const [first] = blocks
  return blocks.map((own) => {
    const ratios = own.map(({ value }, turn) => first![turn]!.value / value)
    return {
      ...figuresOf(own),
      behind: median(ratios),
      interval: bootstrapInterval(ratios, randomFrom('interval')),
      errors: own.reduce((sum, { errors }) => sum + errors, 0),
    }
  })
}
