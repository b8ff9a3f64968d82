import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomFrom } from '../../demo/random.ts'
import { expectationOf, NOTHING } from './expected.ts'
import { type Estimate, estimate, FIRST, mean, ndcg } from './metrics.ts'
import type { CatalogName, CatalogProduct } from './products.ts'
import { type Found, forEach, type Side } from './searchers.ts'
import type { Shelf } from './stage.ts'

const FILE = 'shoppers.tsv'
const SETS = ['tune', 'held', 'unseen'] as const
type Set = (typeof SETS)[number]

/** A query as a shopper types it, and what is meant by it. */
export interface ShopperQuery {
  /** Queries of `held` are for evaluation only, and those of `unseen` were added after all tuning. */
  readonly set: Set
  readonly catalog: CatalogName
  readonly query: string
  readonly language: string
  readonly expected: string
  readonly kind: string
}

/** Reads the lines after the header. Throws an Error that gives the number of an invalid line. */
export function readShoppers(text: string): ShopperQuery[] {
  const [, ...lines] = text.trimEnd().split('\n')
  return lines.map((line, at) => {
    const [set, catalog, query, language, expected, kind] = line.split('\t')
    if (!SETS.includes(set as Set) || !kind || (catalog !== 'demo' && catalog !== 'real')) {
      throw new Error(`${FILE}: line ${at + 2} is no query`)
    }
    return {
      set: set as Set,
      catalog,
      query: query!,
      language: language!,
      expected: expected!,
      kind,
    }
  })
}

/** How well one query was answered. */
export interface ShopperScore {
  /** Expected hits among the first ten, as a share of the highest possible number. */
  readonly share: number
  readonly first: boolean
  /** nDCG@10 where an expected product has grade 1 and any other 0; NaN if nothing is expected. */
  readonly ndcg: number
}

/**
 * Scores the hits of a query. `expected` is how many products of the catalog would be right. Pure.
 */
export function scoreOf(
  found: Found,
  isExpected: (id: string) => boolean,
  expected: number,
): ShopperScore {
  const { total } = found
  const ids = found.ids.slice(0, FIRST)
  if (expected === 0) return { share: total === 0 ? 1 : 0, first: total === 0, ndcg: Number.NaN }
  const right = ids.filter(isExpected)
  const missing = Array.from({ length: expected - right.length }, (_, at) => `missing ${at}`)
  return {
    share: right.length / Math.min(FIRST, expected),
    first: ids[0] !== undefined && isExpected(ids[0]),
    ndcg: ndcg(ids, new Map([...right, ...missing].map((id) => [id, 1]))),
  }
}

export interface AnsweredShopper extends ShopperQuery {
  readonly scores: Readonly<Record<Side, ShopperScore>>
  readonly total: number
  readonly firstHit: string | undefined
}

interface ShopperFigures {
  readonly queries: number
  /** Means over the queries, by side. */
  readonly share: Readonly<Record<Side, number>>
  readonly first: Readonly<Record<Side, number>>
  /** Over the queries that expect something. */
  readonly ndcg: Readonly<Record<Side, Estimate>>
}

export interface ShoppersRow {
  readonly sets: Readonly<Record<Set, ShopperFigures>>
  readonly catalogs: readonly (ShopperFigures & {
    readonly catalog: CatalogName
    readonly set: Set
  })[]
  readonly kinds: readonly (ShopperFigures & { readonly kind: string; readonly set: Set })[]
  /** Queries with less than half of the expected hits, or with a wrong first hit. */
  readonly failed: readonly AnsweredShopper[]
}

const ENOUGH = 0.5

/** Computes the row of the report from the answers. Pure. */
export function shoppersRow(answered: readonly AnsweredShopper[]): ShoppersRow {
  const inSet = (set: Set) => answered.filter((one) => one.set === set)
  const rowsBy = <Key extends 'catalog' | 'kind'>(key: Key) =>
    [...new Set(answered.map((one) => one[key]))].flatMap((value) =>
      SETS.map((set) => ({
        [key]: value,
        set,
        ...figuresOf(inSet(set).filter((one) => one[key] === value)),
      })).filter(({ queries }) => queries > 0),
    ) as unknown as (ShopperFigures & Pick<ShopperQuery, Key | 'set'>)[]
  return {
    sets: {
      tune: figuresOf(inSet('tune')),
      held: figuresOf(inSet('held')),
      unseen: figuresOf(inSet('unseen')),
    },
    catalogs: rowsBy('catalog'),
    kinds: rowsBy('kind'),
    failed: answered.filter(({ scores: { aisle } }) => aisle.share < ENOUGH || !aisle.first),
  }
}

function figuresOf(answered: readonly AnsweredShopper[]): ShopperFigures {
  const valuesOf = (side: Side, figure: (score: ShopperScore) => number): number[] =>
    answered.map(({ scores }) => figure(scores[side]))
  const meanOf = (figure: (score: ShopperScore) => number): Record<Side, number> => ({
    aisle: mean(valuesOf('aisle', figure)),
    plain: mean(valuesOf('plain', figure)),
  })
  const ndcgOf = (side: Side): Estimate =>
    estimate(
      valuesOf(side, (score) => score.ndcg),
      randomFrom('shoppers'),
    )
  return {
    queries: answered.length,
    share: meanOf(({ share }) => share),
    first: meanOf(({ first }) => Number(first)),
    ndcg: { aisle: ndcgOf('aisle'), plain: ndcgOf('plain') },
  }
}

export const shopperQueries = async (): Promise<ShopperQuery[]> =>
  readShoppers(await readFile(join(import.meta.dirname, FILE), 'utf8'))

/** Number of products of a catalog that a query expects. Throws an Error if there is none. */
export function expectedIn(
  { query, expected }: ShopperQuery,
  products: Iterable<CatalogProduct>,
): number {
  const isExpected = expectationOf(expected)
  const count = [...products].filter(isExpected).length
  if (count > 0 || expected === NOTHING) return count
  throw new Error(`${FILE}: ${query} expects ${expected}, which no product is`)
}

/** Runs the queries for one catalog on both sides. */
export const askShoppers = (
  { name, products, search }: Shelf,
  queries: readonly ShopperQuery[],
): Promise<AnsweredShopper[]> =>
  forEach(
    queries.filter(({ catalog }) => catalog === name),
    async (query) => {
      const count = expectedIn(query, products.values())
      const isExpected = expectationOf(query.expected)
      const isRight = (id: string): boolean => isExpected(products.get(id)!)
      const typing = query.kind === 'typing'
      const aisle = await search.aisle(query.query, { typing })
      const plain = await search.plain(query.query, { typing })
      return {
        ...query,
        scores: { aisle: scoreOf(aisle, isRight, count), plain: scoreOf(plain, isRight, count) },
        total: aisle.total,
        firstHit: aisle.ids[0] && products.get(aisle.ids[0])!.name,
      }
    },
  )
