import type { Offer } from '../products/product.ts'
import type { ProductIdentity } from './contract.ts'

type IdentifiableProduct = Omit<ProductIdentity, 'vendorPartNumber'> & {
  readonly vendors?: readonly Offer[]
}

/** A product's identity as sent to an extension, with its part number at `vendor`. */
export const identityOf = (
  product: IdentifiableProduct,
  vendor: string | null,
): ProductIdentity => ({
  id: product.id,
  catalog: product.catalog,
  manufacturer: product.manufacturer,
  manufacturerPartNumber: product.manufacturerPartNumber,
  vendorPartNumber:
    product.vendors?.find(({ vendorName }) => vendorName === vendor)?.vendorPartNumber ?? null,
  upcs: product.upcs,
  name: product.name,
})
