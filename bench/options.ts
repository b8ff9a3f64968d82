import { parseArgs } from 'node:util'
import { FORMATS, type Format } from './catalog/lines.ts'

/** Parts in the order in which they run; those of `OPTIONAL` run only if named. */
const PARTS = [
  'control',
  'search',
  'simple',
  'count',
  'metadata',
  'quicksearch',
  'product',
  'floor',
  'hot',
  'pages',
  'odd-texts',
  'half-load',
  'encodings',
  'startup',
  'import',
  'under-import',
  'status',
  'memory',
  'growth',
  'bom',
  'writes',
  'organizations',
  'price-lists',
] as const
export type Part = (typeof PARTS)[number]
const OPTIONAL: readonly Part[] = [
  'floor',
  'odd-texts',
  'half-load',
  'encodings',
  'memory',
  'growth',
  'bom',
  'writes',
  'organizations',
  'price-lists',
]

export interface Options {
  readonly products: number
  readonly parts: readonly Part[]
  /** Length of one measured block. */
  readonly seconds: number
  /** Pairs of blocks per comparison. */
  readonly pairs: number
  /** Distinct requests per hit class. */
  readonly distinct: number
  /** Number of concurrent requests. */
  readonly connections: number
  /** Rows of the import whose memory is measured. */
  readonly rows: number
  /** File format of that import. */
  readonly format: Format
  /** Catalog sizes of the growth part. */
  readonly sizes: readonly number[]
  /**
   * Organizations per installation of the organizations part, which measures each number;
   * price-lists uses the first.
   */
  readonly organizations: readonly number[]
  /** Organizations of price-lists whose catalogs have `products` products; all if absent. */
  readonly large?: number
  /** Path of the report as JSON. */
  readonly out?: string
  /** Folder with the Open Icecat export for the bom part. */
  readonly data?: string
  /** Lists of 200 lines that the bom part matches. */
  readonly lists: number
}

export const USAGE = `npm run bench -- [options]
  --size 100k          products in the catalog (10k, 100k, 1m or any number)
  --only PART[,PART]   ${PARTS.slice(0, 10).join(', ')},
                       ${PARTS.slice(10).join(', ')};
                       all but ${OPTIONAL.join(', ')} when absent
  --seconds 5          length of a block
  --pairs 10           pairs of blocks in a comparison
  --distinct 100       distinct requests in a hit class
  --connections 8      requests under way at once
  --rows 1m            rows of the memory part
  --format jsonl       the file of the memory part: jsonl or csv
  --sizes 10k,100k,1m  catalog sizes of the growth part
  --organizations 10,1k  installations of the organizations part; of price-lists the first
  --large 5            organizations of price-lists with --size products, the others have 10; all when absent
  --data FOLDER        where the export of real products is, for the bom part
  --lists 50           lists of 200 lines of the bom part
  --out report.json    the report as JSON too`

/** Parses the command line; throws an Error that says which option is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      size: { type: 'string', default: '100k' },
      only: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      pairs: { type: 'string', default: '10' },
      distinct: { type: 'string', default: '100' },
      connections: { type: 'string', default: '8' },
      rows: { type: 'string', default: '1m' },
      format: { type: 'string', default: 'jsonl' },
      sizes: { type: 'string', default: '10k,100k,1m' },
      organizations: { type: 'string', default: '10,1k' },
      large: { type: 'string' },
      data: { type: 'string' },
      lists: { type: 'string', default: '50' },
      out: { type: 'string' },
    },
  })
  return {
    products: amount(values.size, 'size'),
    parts: partsOf(values.only),
    seconds: amount(values.seconds, 'seconds'),
    pairs: amount(values.pairs, 'pairs'),
    distinct: amount(values.distinct, 'distinct'),
    connections: amount(values.connections, 'connections'),
    rows: amount(values.rows, 'rows'),
    format: formatOf(values.format),
    sizes: amounts(values.sizes, 'sizes'),
    organizations: amounts(values.organizations, 'organizations'),
    lists: amount(values.lists, 'lists'),
    ...(values.large === undefined ? {} : { large: amount(values.large, 'large') }),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.out === undefined ? {} : { out: values.out }),
  }
}

const amounts = (text: string, option: string): number[] =>
  text.split(',').map((one) => amount(one, option))

const UNITS = { '': 1, k: 1_000, m: 1_000_000 } as const

/** Parses a number such as `500k`; throws an Error that names the option if it is none. */
export function amount(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text)
  const value = match ? Number(match[1]) * UNITS[match[2]!.toLowerCase() as keyof typeof UNITS] : 0
  if (value > 0) return value
  throw new Error(`--${option} ${text}: expected a number such as 5, 10k or 1m`)
}

function formatOf(text: string): Format {
  const known = FORMATS.find((format) => format === text)
  if (known) return known
  throw new Error(`--format ${text}: expected ${FORMATS.join(' or ')}`)
}

function partsOf(text: string | undefined): Part[] {
  if (text === undefined) return PARTS.filter((part) => !OPTIONAL.includes(part))
  const named = text.split(',')
  const unknown = named.find((name) => !PARTS.includes(name as Part))
  if (unknown !== undefined) {
    throw new Error(`--only ${unknown}: there is no such part; parts are ${PARTS.join(', ')}`)
  }
  return PARTS.filter((part) => named.includes(part))
}
