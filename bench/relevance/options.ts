import { parseArgs } from 'node:util'
import { STEPS, type StepName } from '../../src/search/understanding/understanding.ts'

/** Parts in the order in which they run; `steps` runs only if named. */
const PARTS = ['rated', 'known', 'typing', 'shoppers', 'steps'] as const
type Part = (typeof PARTS)[number]

export interface RelevanceOptions {
  /**
   * Folder with a catalog of real products and ratings of queries; without it only the demo catalog
   * is measured.
   */
  readonly catalog?: string
  readonly parts: readonly Part[]
  /** Keeps what was loaded for a later run with `reuse`. */
  readonly keep: boolean
  readonly reuse: boolean
  /** Queries whose first hits are shown for both sides. */
  readonly show: readonly string[]
  /** Steps of understanding that are left out; searches then run in this process. */
  readonly without: readonly StepName[]
  /** Number of products that are searched for in each form. */
  readonly sample: number
  /** Path of the report as JSON. */
  readonly json?: string
}

export const USAGE = `npm run relevance -- [options]
  --catalog DIR        real products and ratings: products.jsonl.gz and ratings.csv as in the
                       repository querqy/chorus; the demo catalog alone when absent
  --only PART[,PART]   ${PARTS.join(', ')};
                       all but steps when absent
  --keep               leave what was loaded in Elasticsearch (needs ELASTICSEARCH_URL)
  --reuse              go on with what an earlier run of this checkout kept
  --show QUERY         the first hits of a query, of both sides; may be repeated
  --without STEP       leave a step of understanding out; may be repeated
  --sample 500         products that are looked for in each way
  --json report.json   the report as JSON too`

/** Parses the command line; throws an Error that says which option is wrong. */
export function readOptions(args: readonly string[]): RelevanceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      catalog: { type: 'string' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      reuse: { type: 'boolean', default: false },
      show: { type: 'string', multiple: true, default: [] },
      without: { type: 'string', multiple: true, default: [] },
      sample: { type: 'string', default: '500' },
      json: { type: 'string' },
    },
  })
  return {
    parts: partsOf(values.only, values.catalog),
    keep: values.keep || values.reuse,
    reuse: values.reuse,
    show: values.show,
    without: values.without.map(stepOf),
    sample: wholeNumber(values.sample, 'sample'),
    ...(values.catalog === undefined ? {} : { catalog: values.catalog }),
    ...(values.json === undefined ? {} : { json: values.json }),
  }
}

function wholeNumber(text: string, option: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`--${option} ${text}: expected a number such as 500`)
}

function stepOf(text: string): StepName {
  const known = STEPS.find((name) => name === text)
  if (known) return known
  throw new Error(`--without ${text}: there is no such step; steps are ${STEPS.join(', ')}`)
}

function partsOf(text: string | undefined, catalog: string | undefined): Part[] {
  const named = text?.split(',') ?? PARTS.filter((part) => part !== 'steps')
  const unknown = named.find((name) => !PARTS.includes(name as Part))
  if (unknown !== undefined) {
    throw new Error(`--only ${unknown}: there is no such part; parts are ${PARTS.join(', ')}`)
  }
  if (text !== undefined && named.includes('rated') && catalog === undefined) {
    throw new Error('--only rated: needs --catalog, a folder with ratings.csv')
  }
  return PARTS.filter((part) => named.includes(part))
}
