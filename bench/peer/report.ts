import type { Estimate } from '../relevance/metrics.ts'
import { verdict } from '../report.ts'
import type { Kind, Peer } from './stage.ts'
import type { TurnFigures } from './turns.ts'

export interface PeerFigures extends TurnFigures {
  readonly name: string
  readonly aims?: Peer['aims']
  /** Means over all queries: size of an answer in bytes, and number of hits. */
  readonly bytes: number
  readonly found: number
}

export interface KindRow {
  readonly kind: Kind
  /** Whether each index was merged into one segment. */
  readonly merged: boolean
  readonly queries: number
  readonly peers: readonly PeerFigures[]
}

export interface RankRow {
  readonly name: string
  /** nDCG@10 of the rated queries. */
  readonly ndcg: Estimate
}

const TITLES: Readonly<Record<Kind, string>> = {
  facets: '10 hits with facets',
  list: '10 hits, no facets',
}
const NAME = 38

const cells = (name: string, values: readonly string[]): string =>
  `  ${name.padEnd(NAME)}${values.map((value) => value.padStart(10)).join('')}`

export function kindLines({ kind, merged, queries, peers }: KindRow): string[] {
  return [
    `${TITLES[kind]}, ${queries} queries${merged ? ', one segment each' : ''}`,
    cells('', ['a second', 'p50 ms', 'p95', 'p99', 'engine ms', 'service', 'bytes', 'finds']),
    ...peers.map(({ name, rate, p50, p95, p99, cpu, bytes, found }) =>
      cells(name, [
        rate.toFixed(0),
        ...[p50, p95, p99].map((value) => value.toFixed(1)),
        ...[cpu.elasticsearch, cpu.service].map((micros) => (micros / 1_000).toFixed(2)),
        bytes.toFixed(0),
        found.toFixed(0),
      ]),
    ),
    ...peers.flatMap(({ name, aims, behind, interval: { low, high } }) =>
      aims
        ? [
            `  Aisle is ${behind.toFixed(2)} times as fast as ${name}  95 % ${low.toFixed(2)} to ${high.toFixed(2)}  ${verdict(behind, { atLeast: aims[kind] })}`,
          ]
        : [],
    ),
    ...peers
      .filter(({ errors }) => errors > 0)
      .map(({ name, errors }) => `  VOID: ${errors} requests of ${name} failed`),
  ]
}

export const rankLines = (rows: readonly RankRow[]): string[] => [
  'rated queries, nDCG@10',
  ...rows.map(
    ({ name, ndcg: { mean, interval } }) =>
      `  ${name.padEnd(NAME)}${mean.toFixed(3)}  95 % ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`,
  ),
]
