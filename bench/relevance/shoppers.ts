import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectationOf, NOTHING } from './expected.ts'
import { FIRST, mean } from './metrics.ts'
import type { CatalogName, CatalogProduct } from './products.ts'
import { type Found, forEach, type Side } from './searchers.ts'
import type { Shelf } from './stage.ts'

const FILE = 'shoppers.tsv'
const SETS = ['tune', 'held'] as const
type Set = (typeof SETS)[number]

/** A query as a shopper types it, and what is meant by it. */
export interface ShopperQuery {
  /** Queries of the held set are for evaluation only, never for tuning. */
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
}

/**
 * Scores the hits of a query. `expected` is how many products of the catalog would be right. Pure.
 */
export function scoreOf(
  { ids, total }: Found,
  isExpected: (id: string) => boolean,
  expected: number,
): ShopperScore {
  if (expected === 0) return { share: total === 0 ? 1 : 0, first: total === 0 }
  const right = ids.slice(0, FIRST).filter(isExpected).length
  return {
    share: right / Math.min(FIRST, expected),
    first: ids[0] !== undefined && isExpected(ids[0]),
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
}

export interface ShoppersRow {
  readonly sets: Readonly<Record<Set, ShopperFigures>>
  readonly kinds: readonly (ShopperFigures & { readonly kind: string; readonly set: Set })[]
  /** Queries with less than half of the expected hits, or with a wrong first hit. */
  readonly failed: readonly AnsweredShopper[]
}

const ENOUGH = 0.5

/** Computes the row of the report from the answers. Pure. */
export function shoppersRow(answered: readonly AnsweredShopper[]): ShoppersRow {
  const inSet = (set: Set) => answered.filter((one) => one.set === set)
  const kinds = [...new Set(answered.map(({ kind }) => kind))]
  return {
    sets: { tune: figuresOf(inSet('tune')), held: figuresOf(inSet('held')) },
    kinds: kinds.flatMap((kind) =>
      SETS.map((set) => ({
        kind,
        set,
        ...figuresOf(inSet(set).filter((one) => one.kind === kind)),
      })).filter(({ queries }) => queries > 0),
    ),
    failed: answered.filter(({ scores: { aisle } }) => aisle.share < ENOUGH || !aisle.first),
  }
}

function figuresOf(answered: readonly AnsweredShopper[]): ShopperFigures {
  const meanOf = (figure: (score: ShopperScore) => number): Record<Side, number> => ({
    aisle: mean(answered.map(({ scores }) => figure(scores.aisle))),
    plain: mean(answered.map(({ scores }) => figure(scores.plain))),
  })
  return {
    queries: answered.length,
    share: meanOf(({ share }) => share),
    first: meanOf(({ first }) => Number(first)),
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
