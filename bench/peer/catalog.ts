import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { productAt } from '../catalog/product.ts'
import { candidates } from '../catalog/requests.ts'
import { icecatProducts } from '../icecat.ts'
import type { Grades } from '../relevance/metrics.ts'
import { EXPORT, RATINGS } from '../relevance/products.ts'
import { readRatings } from '../relevance/ratings.ts'
import type { PeerOptions } from './options.ts'

/** The fields of a product that both shops have; Aisle is given all others as well. */
export interface SoldProduct {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string
  readonly category?: string
  readonly subCategory: string | null
  readonly msrp: number | null
  readonly vendors: readonly { readonly onHand: number }[]
  readonly facets: Readonly<Record<string, string>>
}

export interface PeerCatalog {
  readonly name: string
  readonly products: readonly SoldProduct[]
  readonly queries: readonly string[]
  /** Grades of products by query; empty for generated catalogs. */
  readonly ratings: ReadonlyMap<string, Grades>
}

export async function peerCatalog(options: PeerOptions): Promise<PeerCatalog> {
  const { catalog, products: size, distinct } = options
  if (catalog === undefined) {
    const products = Array.from({ length: size }, (_, at) => productAt(at))
    const queries = [...keywordsOf(distinct)]
    return { name: 'generated', products, queries, ratings: new Map() }
  }
  const ratings = readRatings(await readFile(join(catalog, RATINGS), 'utf8'))
  const products: SoldProduct[] = []
  for await (const product of icecatProducts(join(catalog, EXPORT))) products.push(product)
  return { name: 'real', products, queries: [...ratings.keys()], ratings }
}

/** Searches of the benchmark that consist of words only. */
function* keywordsOf(count: number): Generator<string> {
  let left = count
  for (const { keywords, ...more } of candidates()) {
    if (typeof keywords !== 'string' || Object.keys(more).length > 0) continue
    yield keywords
    if (--left === 0) return
  }
}

/** A line of the file that `vendure/fill.js` reads. */
interface VendureProduct {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly sku: string
  /** In cents. */
  readonly price: number
  readonly stock: number
  /** Pairs of name and value. */
  readonly facets: readonly (readonly [string, string])[]
}

/**
 * Converts a product for Vendure: manufacturer and categories become facets; offers, numbers and
 * codes are left out. Pure.
 */
export function vendureProduct(product: SoldProduct): VendureProduct {
  const { id, name, description, manufacturerPartNumber, msrp, vendors, facets } = product
  const { manufacturer, category, subCategory } = product
  const places = { Manufacturer: manufacturer, Category: category, 'Sub-category': subCategory }
  return {
    id,
    name,
    description: description ?? '',
    sku: manufacturerPartNumber,
    price: Math.round((msrp ?? 0) * 100),
    stock: vendors.reduce((sum, { onHand }) => sum + onHand, 0),
    facets: Object.entries({ ...facets, ...places }).flatMap(([facet, value]) =>
      value ? [[facet, value] as const] : [],
    ),
  }
}
