import { emptyProduct } from '../../../src/products/next-document.ts'
import {
  type Annotations,
  noAnnotations,
  type Offer,
  type Product,
  type ProductDocument,
} from '../../../src/products/product.ts'

/** A product with only these fields set. */
export const product = (fields: Partial<Product> = {}): Product => ({
  ...emptyProduct({ id: 'p', catalog: 'c', actor: 'maker', now: new Date('2026-01-02T03:04:05Z') }),
  ...fields,
})

export const document = (
  fields: Partial<Product> = {},
  annotations: Record<string, Partial<Annotations>> = {},
): ProductDocument => ({
  product: product(fields),
  annotations: Object.fromEntries(
    Object.entries(annotations).map(([id, own]) => [id, { ...noAnnotations, ...own }]),
  ),
  pending: [],
})

export const offer = (vendorName: string, fields: Partial<Offer> = {}): Offer => ({
  cost: null,
  onHand: null,
  inStock: false,
  vendorPartNumber: null,
  vendorName,
  status: null,
  name: null,
  ...fields,
})

export const stamp = (entryId = 'e1') => ({ entryId, actor: 'somebody', source: 'api' as const })
