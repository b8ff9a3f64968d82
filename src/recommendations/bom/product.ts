import type { Product } from '../../products/product.ts'

/** The fields of a product that are needed to judge whether a line means it. */
export const JUDGED = [
  'product.id',
  'product.name',
  'product.description',
  'product.manufacturer',
  'product.manufacturerPartNumber',
  'product.category',
  'product.subCategory',
  'product.upcs',
  'product.vendors.vendorPartNumber',
] as const

export type JudgedProduct = Pick<
  Product,
  | 'id'
  | 'name'
  | 'description'
  | 'manufacturer'
  | 'manufacturerPartNumber'
  | 'category'
  | 'subCategory'
> & {
  readonly upcs?: readonly string[]
  readonly vendors?: readonly { readonly vendorPartNumber?: string | null }[]
}

/** A hit of a search for products of lines. */
export interface JudgedSource {
  readonly product: JudgedProduct
}
