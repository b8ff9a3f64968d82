import type { HitClass } from './catalog/classes.ts'
import type { Format } from './catalog/lines.ts'
import type { Comparison } from './compare.ts'
import type { Part } from './options.ts'

/** Target figures; missing one does not fail the run. */
export const TARGETS = {
  /** Rate of searches with facets in the middle hit class, divided by the direct rate. */
  search: 0.8,
  /** Rate of searches with facets under a Zipf distribution, divided by the direct rate. */
  hot: 3,
  /** Rate of Metadata, divided by that of the aggregation without Elasticsearch's request cache. */
  'hot-metadata': 25,
  /** Time of a later page, or of another order, divided by that of the first page. */
  pages: 0.25,
  /** Milliseconds of the slowest search that words alone can cause. */
  oddTexts: 3_000,
  /** Rate of an import, divided by that of a raw bulk stream. */
  import: 0.75,
  /** Rate of batches and of offers, divided by that of a raw bulk stream. */
  writes: 0.7,
  /** Extra processor time for compressing an answer, as a share of the request's. */
  encodings: 0.05,
  /**
   * Processor time of a search by the prices of a list, divided by that of one by general prices.
   */
  priceLists: 1.3,
  /** Milliseconds by which the service's p99 exceeds the direct one at half load. */
  halfLoad: 2,
  /** Peak memory in MiB. */
  memory: 200,
  /** Milliseconds, p95 of status calls during an import. */
  status: 20,
  /** Exponent with which the time of a faceted search grows with the catalog's size. */
  growth: 0.8,
  /** Seconds to the first answered search. */
  startup: 2,
  /** Share of lines with the identifier of one product that are matched. */
  bomMatched: 0.98,
  /** Share of lines for which a wrong product is called the match. */
  bomWrong: 0.002,
  /** Share of lines of words whose product is among the first three. */
  bomWords: 0.85,
  /** Multi-search requests per hundred lines. */
  bomRoundTrips: 3,
} as const

export interface RequestRow {
  readonly part: Part | 'hot-metadata'
  /** Whether the least service was measured instead of Aisle. */
  readonly isFloor?: boolean
  readonly hitClass?: HitClass
  readonly medianHits?: number
  readonly distinct: number
  /** Requests to Elasticsearch per request to the service, on average. */
  readonly roundTrips: number
  readonly comparison: Comparison
}

/** Products per second of an import and of the raw stream in turns with it. */
export interface ImportFigures {
  readonly ratio: number
  readonly ratios: readonly number[]
  readonly rawRate: number
  readonly serviceRate: number
  /** Microseconds of processor time per product: of the importing process, and of Elasticsearch. */
  readonly serviceCpu: number
  readonly rawEngineCpu: number
  readonly engineCpu: number
}

export interface ImportRow extends ImportFigures {
  readonly products: number
  /** The least import. */
  readonly floor?: ImportFigures
  readonly bulks: number
  readonly bulksAtOnce: number
  /** Recorded writes, bulks included. */
  readonly requests: number
  readonly megabytes: number
}

interface Quantiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Milliseconds from the time at which a search was due. */
export interface HalfLoadRow {
  /** Whether the least service was measured instead of Aisle. */
  readonly isFloor?: boolean
  readonly connections: number
  readonly perSecond: number
  /** Searches per side. */
  readonly calls: number
  readonly errors: number
  readonly direct: Quantiles
  readonly served: Quantiles
}

export interface WritesRow {
  readonly kind: 'batch' | 'offers'
  readonly products: number
  readonly ratio: number
  readonly ratios: readonly number[]
  readonly rawRate: number
  readonly serviceRate: number
  /**
   * Microseconds of processor time per product: of Elasticsearch on each side, and of the service.
   */
  readonly rawEngineCpu: number
  readonly engineCpu: number
  readonly serviceCpu: number
  readonly bulks: number
  readonly bulksAtOnce: number
  readonly megabytes: number
}

export interface EncodingsRow {
  readonly products: number
  readonly distinct: number
  readonly sides: readonly {
    readonly encoding: string
    /** Median size of an answer. */
    readonly bytes: number
    readonly rate: number
    readonly cpu: Comparison['sides']['A']['cpu']
    /**
     * Extra processor time of the service, as a share of the request's in the service and
     * Elasticsearch.
     */
    readonly cost: number
  }[]
}

export interface PriceListsRow {
  readonly organizations: number
  /** Lists per organization. */
  readonly lists: number
  /** Organizations with large lists. */
  readonly large: number
  /** Prices per large list. */
  readonly prices: number
  /** Prices in any other list. */
  readonly few: number
  /** A: by general prices, B: by a list with the same prices. */
  readonly kinds: readonly { readonly kind: string; readonly comparison: Comparison }[]
  /** Size of the products mapping before the first list, and its growth in characters. */
  readonly mappingCharacters: number
  readonly mappingGrowth: number
}

export interface UnderImportRow {
  readonly perSecond: number
  readonly quiet: Quantiles
  readonly during: Quantiles
  readonly searches: number
  readonly errors: number
  readonly importRate: number
}

/** Mean milliseconds per request. */
export interface PageTimes {
  readonly first: number
  readonly pages: number
  readonly orders: number
}

export interface PagesRow {
  readonly sessions: number
  readonly kept: PageTimes
  readonly plain: PageTimes
}

/** Milliseconds of single searches, and of Quicksearch. */
export interface OddTextsRow {
  readonly times: readonly {
    readonly name: string
    readonly searched: number
    readonly typed: number
    readonly suggested: number
  }[]
}

export interface StartupRow {
  readonly seconds: readonly number[]
  readonly median: number
}

/** Latencies in milliseconds. */
export interface StatusRow {
  readonly perSecond: number
  readonly calls: readonly {
    readonly path: string
    readonly calls: number
    readonly errors: number
    readonly p50: number
    readonly p95: number
    readonly p99: number
  }[]
  readonly importRate: number
}

/** In MiB, except for rows, format, rate and statusP99 (milliseconds). */
export interface MemoryRow {
  readonly rows: number
  readonly format: Format
  readonly idle: number
  readonly uploadPeak: number
  readonly peak: number
  readonly quarters: readonly number[]
  readonly rate: number
  readonly statusP99: number
}

export interface GrowthRow {
  readonly operation: string
  readonly points: readonly {
    readonly size: number
    readonly value: number
    readonly p50: number
    /** Microseconds of processor time per request, of Elasticsearch and of the service. */
    readonly engineCpu: number
    readonly serviceCpu: number
    /** Share of requests that were refused because they took too long. */
    readonly failed: number
    /** Bytes on disk of the products at this size. */
    readonly disk: number
  }[]
  readonly exponent: number
}

export interface OrganizationsRow {
  readonly organizations: number
  readonly products: number
  /** Seconds to the first answered search. */
  readonly startup: number
  /** Searches in the same few organizations, and in all of them in turn. */
  readonly busy: Quantiles
  readonly spread: Quantiles
  /** The first page of Get Organizations, as an operator. */
  readonly listed: Quantiles
  /** Memory of the service in MiB after its start, and at the end. */
  readonly idle: number
  readonly resident: number
  /** Bytes of all indices. */
  readonly disk: number
}

const TITLES: Partial<Record<RequestRow['part'], string>> = {
  control: 'A-A control: direct against direct',
  search: 'search with facets',
  simple: 'simple search',
  count: 'count',
  metadata: 'metadata',
  quicksearch: 'quicksearch',
  product: 'get product',
  hot: "search with facets, by Zipf's law, answers kept",
  'hot-metadata': 'metadata, answers kept, against the uncached aggregation',
}

const whole = (value: number): string => Math.round(value).toLocaleString('en')
const fixed = (value: number, digits = 2): string => value.toFixed(digits)
const milliseconds = (values: readonly number[]): string =>
  values.map((value) => (value < 10 ? fixed(value, 1) : whole(value))).join(' / ')

/** Formats a verdict, `target >= 0.80: reached`, to stand beside the figure. */
export function verdict(value: number, bound: { atLeast: number } | { atMost: number }): string {
  const [sign, limit, reached] =
    'atLeast' in bound
      ? ['>=', bound.atLeast, value >= bound.atLeast]
      : ['<=', bound.atMost, value <= bound.atMost]
  return `target ${sign} ${limit}: ${reached ? 'reached' : 'MISSED'}`
}

/** Whether the interval of two equal sides lies within 3 % of 1. */
export const controlHolds = ({ ratio, interval }: Comparison): boolean =>
  Math.abs(ratio - 1) <= 0.03 && interval.low <= 1.03 && interval.high >= 0.97

export function requestLines(row: RequestRow): string[] {
  const { part, hitClass, comparison, medianHits, distinct, roundTrips } = row
  const { ratio, interval, sides, errors } = comparison
  const { A, B } = sides
  const title = [
    TITLES[part] ?? part,
    ...(hitClass ? [`${hitClass} class`] : []),
    ...(row.isFloor ? ['by the least service'] : []),
  ].join(', ')
  const hits = medianHits === undefined ? '' : `, median ${whole(medianHits)} hits`
  const second = part === 'control' ? 'direct' : 'service'
  return [
    `${title} (${distinct} requests${hits})`,
    `  ratio ${fixed(ratio)}  95 % ${fixed(interval.low)} to ${fixed(interval.high)}${requestVerdict(row)}`,
    `  direct  ${whole(A.rate)}/s, ms p50/p95/p99 ${milliseconds([A.p50, A.p95, A.p99])}`,
    `  ${second} ${whole(B.rate)}/s, ms p50/p95/p99 ${milliseconds([B.p50, B.p95, B.p99])}`,
    ...(part === 'control' ? [] : [cpuLine(comparison, roundTrips)]),
    ...(errors > 0 ? [`  VOID: ${errors} requests failed`] : []),
  ]
}

function cpuLine({ sides }: Comparison, roundTrips: number): string {
  const { A, B } = sides
  return [
    `  CPU us per request: Elasticsearch ${whole(A.cpu.elasticsearch)} direct, ${whole(B.cpu.elasticsearch)} served`,
    `service ${whole(B.cpu.service)}`,
    `caller ${whole(A.cpu.caller)} and ${whole(B.cpu.caller)}; ${fixed(roundTrips, 1)} round trips`,
  ].join('; ')
}

function requestVerdict({ part, isFloor, hitClass, comparison }: RequestRow): string {
  if (isFloor) return ''
  if (part === 'control') {
    return controlHolds(comparison)
      ? '  within 1.00 +- 0.03: the machine is quiet enough'
      : '  NOT within 1.00 +- 0.03: the ratios of this run mean little'
  }
  const isJudged = part === 'search' ? hitClass === 'middle' : part.startsWith('hot')
  if (!isJudged) return ''
  return `  ${verdict(comparison.ratio, { atLeast: TARGETS[part as 'search' | 'hot' | 'hot-metadata'] })}`
}

export function pagesLines({ sessions, kept, plain }: PagesRow): string[] {
  const line = (title: string, { first, pages, orders }: PageTimes) =>
    `  ${title} mean ms: first page ${fixed(first)}, pages 2 to 5 ${fixed(pages)} (${fixed(pages / first)}), other orders ${fixed(orders)} (${fixed(orders / first)})`
  const worst = Math.max(kept.pages, kept.orders) / kept.first
  return [
    `later pages and other orders of ${sessions} searches with facets, each asked for once`,
    `  cost ${fixed(worst)} of a first page  ${verdict(worst, { atMost: TARGETS.pages })}`,
    line('answers kept:', kept),
    line('nothing kept:', plain),
  ]
}

export function oddTextsLines({ times }: OddTextsRow): string[] {
  const longest = Math.max(...times.flatMap((one) => [one.searched, one.typed, one.suggested]))
  return [
    'texts that nobody means, each once: ms of Search, of Search while typing, of Quicksearch',
    `  at most ${whole(longest)} ms  ${verdict(longest, { atMost: TARGETS.oddTexts })}`,
    ...times.map(
      ({ name, searched, typed, suggested }) =>
        `  ${[searched, typed, suggested].map((ms) => whole(ms).padStart(5)).join(' ')}  ${name}`,
    ),
  ]
}

export function importLines(row: ImportRow): string[] {
  const ratios = row.ratios.map((ratio) => fixed(ratio)).join(', ')
  return [
    `import of ${whole(row.products)} products, jsonl`,
    `  ratio ${fixed(row.ratio)}  pairs ${ratios}  ${verdict(row.ratio, { atLeast: TARGETS.import })}`,
    `  raw bulk ${whole(row.rawRate)}/s, service ${whole(row.serviceRate)}/s`,
    `  CPU us per product: engine ${whole(row.rawEngineCpu)} raw, ${whole(row.engineCpu)} served, and service ${whole(row.serviceCpu)}`,
    ...(row.floor ? leastImportLines(row.floor) : []),
    `  the stream: ${row.requests} writes of which ${row.bulks} bulks, ${row.bulksAtOnce} at once, ${whole(row.megabytes)} MB`,
  ]
}

const leastImportLines = (row: ImportFigures): string[] => [
  `  least import: ratio ${fixed(row.ratio)}  pairs ${row.ratios.map((one) => fixed(one)).join(', ')}`,
  `    CPU us per product: engine ${whole(row.rawEngineCpu)} raw, ${whole(row.engineCpu)} beside it, and its process ${whole(row.serviceCpu)}`,
]

export function writesLines(row: WritesRow): string[] {
  const ratios = row.ratios.map((ratio) => fixed(ratio)).join(', ')
  return [
    `${row.kind === 'batch' ? 'batches that create products' : 'offers of these'}, ${whole(row.products)} products`,
    `  ratio ${fixed(row.ratio)}  pairs ${ratios}  ${verdict(row.ratio, { atLeast: TARGETS.writes })}`,
    `  raw bulk ${whole(row.rawRate)}/s, service ${whole(row.serviceRate)}/s`,
    `  CPU us per product: engine ${whole(row.rawEngineCpu)} raw, ${whole(row.engineCpu)} served, and service ${whole(row.serviceCpu)}`,
    `  the stream: ${row.bulks} bulks, ${row.bulksAtOnce} at once, ${whole(row.megabytes)} MB`,
  ]
}

export function encodingsLines({ products, distinct, sides }: EncodingsRow): string[] {
  const dearest = Math.max(...sides.map(({ cost }) => cost))
  return [
    `pages of ${products} products with facets in each encoding (${distinct} requests)`,
    `  cost at most ${fixed(dearest * 100, 1)} % of the request's CPU  ${verdict(dearest, { atMost: TARGETS.encodings })}`,
    ...sides.map(
      ({ encoding, bytes, rate, cpu, cost }) =>
        `  ${encoding.padEnd(8)} ${whole(bytes)} bytes, ${whole(rate)}/s; CPU us per request: service ${whole(cpu.service)}, Elasticsearch ${whole(cpu.elasticsearch)}; cost ${fixed(cost * 100, 1)} %`,
    ),
  ]
}

export function halfLoadLines(row: HalfLoadRow): string[] {
  const { isFloor, connections, perSecond, calls, errors, direct, served } = row
  const who = isFloor ? 'least service' : 'service'
  const more = served.p99 - direct.p99
  const reached = isFloor ? '' : `  ${verdict(more, { atMost: TARGETS.halfLoad })}`
  const failed = errors > 0 ? `; VOID: ${errors} searches failed` : ''
  return [
    `search with facets, middle class, at half load: ${fixed(perSecond, 1)}/s over ${connections} ${connections === 1 ? 'connection' : 'connections'} (${whole(calls)} of each)`,
    `  p99 of the ${who} is ${fixed(more, 1)} ms above the direct one${failed}${reached}`,
    `  p50 p95 p99 ms: direct ${milliseconds([direct.p50, direct.p95, direct.p99])}, ${who} ${milliseconds([served.p50, served.p95, served.p99])}`,
  ]
}

export function priceListsLines(row: PriceListsRow): string[] {
  const { organizations, large, few, lists, prices, kinds, mappingCharacters, mappingGrowth } = row
  const others = large < organizations ? ` in ${whole(large)} of them, of ${few} in the others` : ''
  return [
    `searches with facets by a price list, ${whole(organizations)} organizations with ${lists} lists of ${whole(prices)} prices each${others}`,
    `  the mapping of ${whole(mappingCharacters)} characters grew by ${whole(mappingGrowth)}`,
    ...kinds.map(({ kind, comparison: { sides, ratio, errors } }) => {
      const { A, B } = sides
      const spent = ({ cpu }: typeof A) => cpu.elasticsearch + cpu.service
      const times = spent(B) / spent(A)
      const failed = errors > 0 ? `; VOID: ${errors} requests failed` : ''
      return `  ${kind}: ${fixed(times)} of the CPU (us ${whole(spent(A))} and ${whole(spent(B))}), ${fixed(1 / ratio)} of the time, p95 ms ${milliseconds([A.p95])} and ${milliseconds([B.p95])}${failed}  ${verdict(times, { atMost: TARGETS.priceLists })}`
    }),
  ]
}

export function underImportLines(row: UnderImportRow): string[] {
  const { quiet, during } = row
  return [
    `search with facets, middle class, ${row.perSecond}/s, while another organization imports`,
    `  quiet  ms p50/p95/p99 ${milliseconds([quiet.p50, quiet.p95, quiet.p99])}`,
    `  during ms p50/p95/p99 ${milliseconds([during.p50, during.p95, during.p99])} (${row.searches} searches, import ${whole(row.importRate)}/s)`,
    `  p95 during / quiet ${fixed(during.p95 / quiet.p95)}`,
    ...(row.errors > 0 ? [`  VOID: ${row.errors} searches failed`] : []),
  ]
}

export function startupLines({ seconds, median }: StartupRow): string[] {
  const all = seconds.map((one) => fixed(one)).join(', ')
  return [
    'start-up to the first answered search, Elasticsearch running',
    `  median ${fixed(median)} s of ${all}  ${verdict(median, { atMost: TARGETS.startup })}`,
  ]
}

export function statusLines({ calls, perSecond, importRate }: StatusRow): string[] {
  return [
    `status calls, ${perSecond}/s each, while an import runs at ${whole(importRate)}/s`,
    ...calls.map(
      ({ path, p50, p95, p99, calls: count, errors }) =>
        `  ${path} ms p50/p95/p99 ${milliseconds([p50, p95, p99])} (${count} calls${errors > 0 ? `, VOID: ${errors} failed` : ''})  ${verdict(p95, { atMost: TARGETS.status })}`,
    ),
  ]
}

export function memoryLines(row: MemoryRow): string[] {
  return [
    `memory of the service, import of ${whole(row.rows)} rows, ${row.format}, at ${whole(row.rate)}/s`,
    `  peak ${whole(row.peak)} MiB  ${verdict(row.peak, { atMost: TARGETS.memory })}`,
    `  idle ${whole(row.idle)}, peak of the upload ${whole(row.uploadPeak)}, at each quarter ${row.quarters.map(whole).join(', ')} MiB`,
    `  status calls meanwhile: p99 ${milliseconds([row.statusP99])} ms`,
  ]
}

export function growthLines({ operation, points, exponent }: GrowthRow): string[] {
  const title = TITLES[operation as Part] ?? operation
  const judged = operation === 'search' ? `  ${verdict(exponent, { atMost: TARGETS.growth })}` : ''
  return [`growth of ${title}: n^${fixed(exponent)}${judged}`, ...points.map(pointLine)]
}

/** Formats the figures of one catalog size. */
export function pointLine(point: GrowthRow['points'][number]): string {
  const { size, value, p50, engineCpu, serviceCpu, failed, disk } = point
  const refused = failed > 0 ? `; ${fixed(100 * failed)} % refused` : ''
  return `  ${whole(size)} products: mean ${fixed(value)} ms, p50 ${fixed(p50)} ms; CPU ms Elasticsearch ${fixed(engineCpu / 1_000)}, service ${fixed(serviceCpu / 1_000)}; ${whole(disk / size)} bytes a product${refused}`
}

export function organizationsLines(row: OrganizationsRow): string[] {
  const { busy, spread, listed } = row
  const of = ({ p50, p95, p99 }: Quantiles) => milliseconds([p50, p95, p99])
  return [
    `${whole(row.organizations)} organizations with a catalog each, ${whole(row.products)} products together`,
    `  start-up to the first answered search ${fixed(row.startup)} s`,
    `  search, the same ten organizations, ms p50/p95/p99 ${of(busy)}`,
    `  search, all of them in turn, ms p50/p95/p99 ${of(spread)}`,
    `  first page of all organizations, ms p50/p95/p99 ${of(listed)}`,
    `  memory of the service ${whole(row.idle)} MiB after its start, ${whole(row.resident)} MiB at the end`,
    `  disk ${whole(row.disk / row.organizations / 1_024)} KiB an organization`,
  ]
}
