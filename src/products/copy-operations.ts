import { z } from 'zod'
import { openCatalog, writableCatalog } from '../catalogs/store.ts'
import { operation, route } from '../operation.ts'
import { ActionResponse, CatalogName, done, Id } from '../shapes.ts'
import { copyProduct } from './copy.ts'

const Path = z.object({
  catalog: CatalogName,
  id: Id.describe('Id of the product.'),
  targetCatalog: CatalogName.describe('Name of the catalog to copy to.'),
})

/** In 1.0, `catalog` is the target of the copy. */
const Path10 = z
  .object({
    name: CatalogName,
    id: Id.describe('Id of the product.'),
    catalog: CatalogName.describe('Name of the catalog to copy to.'),
  })
  .transform(({ name, id, catalog }) => ({ catalog: name, id, targetCatalog: catalog }))

export const copyProductToCatalog = operation({
  name: 'Copy Product To Catalog',
  summary: 'Makes the product of that id in another catalog equal to this one, offers included.',
  access: 'editor',
  bindings: {
    '1.0': route('POST', '/api/Catalog/:name/:id/copyToCatalog/:catalog', {
      param: Path10,
      answer: ActionResponse,
    }),
    '6.0': route('POST', '/api/Catalog/:catalog/products/:id/copyToCatalog/:targetCatalog', {
      param: Path,
      answer: ActionResponse,
    }),
  },
  handle: async ({ catalog, id, targetCatalog }: z.output<typeof Path>, ctx) => {
    const from = await openCatalog(ctx, catalog)
    const to = await writableCatalog(ctx, targetCatalog)
    const changed = await copyProduct(ctx, { id, from, to })
    return done(changed ? 'Product copied.' : 'Nothing to change.', { id })
  },
})
