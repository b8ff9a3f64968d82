import { TARGETS, verdict } from '../report.ts'
import { quantile } from '../statistics.ts'
import { LAYOUTS } from './lines.ts'
import { type AnsweredLine, type BomScore, percent, type Share, scoreOf } from './score.ts'

export interface BomRow {
  readonly products: number
  readonly all: BomScore
  readonly layouts: Readonly<Record<string, BomScore>>
  /** Multi-search requests per hundred lines. */
  readonly roundTrips: number
  /** Seconds for one list. */
  readonly p50: number
  readonly p95: number
  /** Lines per list. */
  readonly lines: number
}

interface Measured {
  readonly products: number
  readonly answers: readonly (AnsweredLine & { readonly layout: string })[]
  readonly seconds: readonly number[]
  readonly trips: number
  readonly lines: number
}

/** Computes the row of the report from what was measured. Pure. */
export function bomRow({ products, answers, seconds, trips, lines }: Measured): BomRow {
  const byLayout = Map.groupBy(answers, ({ layout }) => layout)
  return {
    products,
    all: scoreOf(answers),
    layouts: Object.fromEntries(
      LAYOUTS.flatMap((layout) => {
        const own = byLayout.get(layout)
        return own ? [[layout, scoreOf(own)] as const] : []
      }),
    ),
    roundTrips: (trips * 100) / answers.length,
    p50: quantile(seconds, 0.5),
    p95: quantile(seconds, 0.95),
    lines,
  }
}

const rate = ({ right, of }: Share): number => (of === 0 ? 0 : right / of)
const shown = (share: Share): string => `${percent(share)} of ${share.of}`

/** Formats the report of the part, with every line that was matched wrongly. Pure. */
export function bomLines({
  products,
  all,
  layouts,
  roundTrips,
  p50,
  p95,
  lines,
}: BomRow): string[] {
  const { unique, several, words, quantities, wrong } = all
  return [
    `lists of ${products.toLocaleString('en')} real products, ${wrong.of.toLocaleString('en')} lines`,
    `  identifier of one product: matched ${shown(unique)}  ${verdict(rate(unique), { atLeast: TARGETS.bomMatched })}`,
    `  another product called the match: ${shown(wrong)}  ${verdict(rate(wrong), { atMost: TARGETS.bomWrong })}`,
    `  words alone: among the first three ${shown(words)}  ${verdict(rate(words), { atLeast: TARGETS.bomWords })}`,
    `  identifier of several products: all of them possible ${shown(several)}`,
    `  quantities of matched lines: right ${shown(quantities)}`,
    `  round trips for a hundred lines ${roundTrips.toFixed(2)}  ${verdict(roundTrips, { atMost: TARGETS.bomRoundTrips })}`,
    `  a list of ${lines} lines takes s p50/p95 ${p50.toFixed(2)} / ${p95.toFixed(2)}`,
    ...Object.entries(layouts).map(
      ([layout, score]) =>
        `  ${layout}: matched ${percent(score.unique)}, wrong ${percent(score.wrong)}, words ${percent(score.words)}`,
    ),
    ...all.faults.map((fault) => `  ${fault}`),
  ]
}
