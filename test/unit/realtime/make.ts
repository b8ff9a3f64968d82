import type { ProductIdentity } from '../../../src/extensions/contract.ts'
import type { OfferItem } from '../../../src/realtime/check-item.ts'

export const item = (fields: Partial<OfferItem> = {}): OfferItem => ({
  vendorPartNumber: null,
  manufacturerPartNumber: null,
  description: null,
  error: null,
  active: true,
  onHand: null,
  cost: null,
  inStockDate: null,
  warehouses: [],
  status: null,
  ...fields,
})

export const identity = (fields: Partial<ProductIdentity> = {}): ProductIdentity => ({
  id: 'p',
  catalog: 'c',
  manufacturer: null,
  manufacturerPartNumber: null,
  vendorPartNumber: null,
  upcs: [],
  name: null,
  ...fields,
})
