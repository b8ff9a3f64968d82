import { join } from 'node:path'
import { demoProducts } from '../../demo/products.ts'
import { icecatProducts } from '../icecat.ts'

/** The fields of a product that the harness uses. */
export interface CatalogProduct {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly manufacturer: string | null
  readonly manufacturerPartNumber: string
  readonly category?: string | null
  readonly subCategory: string | null
  readonly upcs: readonly string[]
  readonly vendors: readonly {
    readonly vendorPartNumber: string | null
    readonly inStock: boolean
  }[]
  readonly attributes?: Readonly<Record<string, string>>
  readonly facets: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, unknown>>
}

/** Files in the folder that --catalog names. */
export const EXPORT = 'products.jsonl.gz'
export const RATINGS = 'ratings.csv'

/** The catalog of real products with ratings, and that of the demo. */
export type CatalogName = 'real' | 'demo'

/** Reads or generates all products of a catalog; `folder` contains the real ones. */
export async function productsOf(
  name: CatalogName,
  folder: string | undefined,
): Promise<CatalogProduct[]> {
  if (name === 'demo') return [...demoProducts()]
  const products: CatalogProduct[] = []
  for await (const product of icecatProducts(join(folder!, EXPORT))) products.push(product)
  return products
}
