import { leastPrice } from '../../products/offer-prices.ts'
import type { Offer, Product } from '../../products/product.ts'
import { plainWords } from '../bom/words.ts'

/** What of a product is compared with another one. */
export interface Compared extends Pick<Product, 'name' | 'facets' | 'filters' | 'msrp'> {
  readonly vendors: readonly Pick<Offer, 'cost'>[]
}

const WEIGHTS = { values: 0.5, numbers: 0.25, price: 0.25 } as const

/** How near a product is to another one by values, numbers and price, 0 to 1. */
export function likenessOf(one: Compared, other: Compared): number {
  const parts = [
    { weight: WEIGHTS.values, like: likeValues(one.facets, other.facets) ?? likeNames(one, other) },
    { weight: WEIGHTS.numbers, like: likeNumbers(one.filters, other.filters) },
    { weight: WEIGHTS.price, like: nearness(priceOf(one), priceOf(other)) },
  ].filter(({ like }) => like !== undefined)
  const total = parts.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? 0 : parts.reduce((sum, { weight, like }) => sum + weight * like!, 0) / total
}

/** Of the first product's values, the share that the other one has; undefined when it has none. */
function likeValues(one: Compared['facets'], other: Compared['facets']): number | undefined {
  const names = Object.keys(one)
  if (names.length === 0) return undefined
  return names.filter((name) => own(other, name) === one[name]).length / names.length
}

/** Where nothing else says what a product is, the share of its name's words. */
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

/** 1 for equal numbers, down to 0; undefined when the first is not known, 0 when the other is not. */
function nearness(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined) return undefined
  if (other === undefined) return 0
  const most = Math.max(Math.abs(one), Math.abs(other))
  return most === 0 ? 1 : Math.max(0, 1 - Math.abs(one - other) / most)
}

const priceOf = (product: Compared): number | undefined => leastPrice(product) ?? undefined
