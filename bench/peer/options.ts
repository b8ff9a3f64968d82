import { parseArgs } from 'node:util'
import { amount } from '../options.ts'

export interface PeerOptions {
  /**
   * Folder with a catalog of real products and ratings of queries; without it, products are
   * generated.
   */
  readonly catalog?: string
  /** Number of generated products. */
  readonly products: number
  /** Distinct queries of a generated catalog. */
  readonly distinct: number
  /** Length of one turn. */
  readonly seconds: number
  /** Turns per contestant. */
  readonly turns: number
  /** Number of concurrent requests. */
  readonly connections: number
  /** Whether to measure again with each index merged into one segment. */
  readonly merged: boolean
  /** Path of the report as JSON. */
  readonly out?: string
}

export const USAGE = `npm run bench:peer -- [options]
  --catalog DIR        real products and ratings, as for npm run relevance; generated ones when absent
  --size 10k           generated products
  --distinct 100       queries of generated products; of real ones those that are rated
  --seconds 5          length of a turn
  --turns 6            turns that each has
  --connections 8      requests under way at once
  --merged             all once more, each index merged into one segment
  --out report.json    the report as JSON too`

/** Parses the command line; throws an Error that says which option is wrong. */
export function readOptions(args: readonly string[]): PeerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      catalog: { type: 'string' },
      size: { type: 'string', default: '10k' },
      distinct: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '5' },
      turns: { type: 'string', default: '6' },
      connections: { type: 'string', default: '8' },
      merged: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  })
  return {
    products: amount(values.size, 'size'),
    distinct: amount(values.distinct, 'distinct'),
    seconds: amount(values.seconds, 'seconds'),
    turns: amount(values.turns, 'turns'),
    connections: amount(values.connections, 'connections'),
    merged: values.merged,
    ...(values.catalog === undefined ? {} : { catalog: values.catalog }),
    ...(values.out === undefined ? {} : { out: values.out }),
  }
}
