import type { ProductView } from './view.ts'

/** Product 4.0: all fields. */
export const toProduct40 = (view: ProductView): ProductView => view

/** Product 1.0: without upcs, tags, userTags and version. */
export const toProduct10 = (view: ProductView) => ({
  id: view.id,
  description: view.description,
  manufacturer: view.manufacturer,
  manufacturerPartNumber: view.manufacturerPartNumber,
  name: view.name,
  image: view.image,
  catalog: view.catalog,
  unspsc: view.unspsc,
  segment: view.segment,
  category: view.category,
  subCategory: view.subCategory,
  updatedBy: view.updatedBy,
  msrp: view.msrp,
  lastUpdated: view.lastUpdated,
  images: view.images,
  vendors: view.vendors,
  attributes: view.attributes,
  filters: view.filters,
  facets: view.facets,
  links: view.links,
  notes: view.notes,
  extensionFields: view.extensionFields,
  favorite: view.favorite,
})

export type ProductView10 = ReturnType<typeof toProduct10>
