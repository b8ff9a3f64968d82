import { memoizeWeak } from '../../platform/memoize-weak.ts'
import { leastPrice } from '../../products/offer-prices.ts'
import type { Offer, Product } from '../../products/product.ts'
import { plainWords } from '../bom/words.ts'

/** The fields of a product that are compared. */
export interface Compared extends Pick<Product, 'name' | 'facets' | 'filters' | 'msrp'> {
  readonly vendors: readonly Pick<Offer, 'cost'>[]
}

const WEIGHTS = { values: 0.5, numbers: 0.25, price: 0.25 } as const

/** Similarity of two products by values, numbers and price, 0 to 1. */
export function likenessOf(one: Compared, other: Compared): number {
  const parts = [
    { weight: WEIGHTS.values, like: likeValues(one.facets, other.facets) ?? likeNames(one, other) },
    { weight: WEIGHTS.numbers, like: likeNumbers(one.filters, other.filters) },
    { weight: WEIGHTS.price, like: nearness(priceOf(one), priceOf(other)) },
  ].filter(({ like }) => like !== undefined)
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? 0 : parts.reduce((sum, { weight, like }) => sum + weight * like!, 0) / total
}

/** Share of the first product's values that the other one has; undefined when it has no values. */
function likeValues(one: Compared['facets'], other: Compared['facets']): number | undefined {
  const names = Object.keys(one)
  if (names.length === 0) return undefined
  return names.filter((name) => own(other, name) === one[name]).length / names.length
}

/**
 * Share of the first name's words that the other name has, when there is nothing else to compare.
 */
function likeNames(one: Compared, other: Compared): number | undefined {
  const words = new Set(plainWords(one.name ?? ''))
  if (words.size === 0) return undefined
  const others = new Set(plainWords(other.name ?? ''))
  return [...words].filter((word) => others.has(word)).length / words.size
}

function likeNumbers(one: Compared['filters'], other: Compared['filters']): number | undefined {
  const names = Object.keys(one)
  if (names.length === 0) return undefined
  const sum = names.reduce((total, name) => total + (nearness(one[name], own(other, name)) ?? 0), 0)
  return sum / names.length
}

const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Similarity of two numbers, 1 if equal; undefined without the first, 0 without the other. */
function nearness(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined) return undefined
  if (other === undefined) return 0
  const most = Math.max(Math.abs(one), Math.abs(other))
  return most === 0 ? 1 : Math.max(0, 1 - Math.abs(one - other) / most)
}

/** A product is compared with many, and may have hundreds of offers. */
const leastPriceOf = memoizeWeak<Compared, number | null>(leastPrice)
const priceOf = (product: Compared): number | undefined => leastPriceOf(product) ?? undefined
