import { z } from 'zod'
import { withPriceList } from '../catalogs/price-lists/in-effect.ts'
import { openCatalog, writableCatalog } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import { bothRevisions, type Context, operation, type RequestFacts, route } from '../operation.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { ActionResponse, CatalogName, done } from '../shapes.ts'
import { copyProduct } from './copy.ts'
import { insightOperations } from './insights/operations.ts'
import { logOperations } from './log-operations.ts'
import { applyPatch, type ProductPatch } from './patch.ts'
import { missingProduct } from './requested-change.ts'
import { Product10, Product40, selectable } from './response-schemas.ts'
import { toProduct10 } from './responses.ts'
import {
  CatalogPath,
  CatalogPath10,
  GetByIdsRequest,
  ProductBody,
  ProductBody10,
  ProductPath,
  ProductPath10,
  ProductQuery,
} from './schemas.ts'
import { selectableFields, selected, selectionOf } from './selection.ts'
import { changeProduct, createProduct, deleteProduct, readProduct, readProducts } from './store.ts'
import { catalogPatch } from './view.ts'

type ProductInput = z.output<typeof ProductPath> & RequestFacts

/** Opens a catalog with its prices. As in searches, search keys see active catalogs only. */
const openFor = async (ctx: Context, catalog: string, priceList: string | null = null) => {
  const scope = await openCatalog(ctx, catalog, { active: ctx.caller.keyType === 'search' })
  return withPriceList(ctx, scope, priceList)
}

async function update(
  {
    catalog,
    id,
    ifMatch,
    body,
  }: ProductInput & { body: ProductPatch & { id?: string | undefined } },
  ctx: Context,
) {
  const { id: named = id, ...patch } = body
  if (named !== id) throw new Invalid('id: differs from the id in the path')
  const scope = await writableCatalog(ctx, catalog)
  const { changed } = await changeProduct(
    ctx,
    scope,
    id,
    (document) => {
      const own = catalogPatch(patch, document, ctx.organization.id)
      return { ...document, product: applyPatch(document.product, own) }
    },
    { ifMatch },
  )
  return done(changed ? 'Product updated.' : 'Nothing to change.', { id })
}

const update10 = { param: ProductPath10, body: ProductBody10, answer: ActionResponse }

const Products10 = z
  .array(
    selectable(Product10).meta({
      id: 'RetrievedProduct',
      description:
        'A product as seen by the caller, reduced to the members selected by `fields` and `compact`.',
    }),
  )
  .describe('The products that exist, in the order of the requested ids.')
const FIELDS10 = selectableFields(Product10)

const CopyPath = ProductPath.extend({
  targetCatalog: CatalogName.describe('Name of the catalog to copy to.'),
})

/** In 1.0, `catalog` is the target of the copy. */
const CopyPath10 = z
  .object({
    name: CatalogName,
    id: ProductPath.shape.id,
    catalog: CopyPath.shape.targetCatalog,
  })
  .transform(({ name, id, catalog }) => ({ catalog: name, id, targetCatalog: catalog }))

export const productOperations = [
  operation({
    name: 'Create Product',
    summary:
      'Creates a product. An id is generated if none is given, and an id that is already taken returns 409.',
    access: 'editor',
    fails: ['conflict'],
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/products', {
        param: CatalogPath,
        body: ProductBody,
        answer: ActionResponse,
      }),
    },
    handle: async ({ catalog, body }, ctx) => {
      const { id = crypto.randomUUID(), ...patch } = body
      await createProduct(ctx, await writableCatalog(ctx, catalog), { id, patch })
      return done('Product created.', { id })
    },
  }),
  operation({
    name: 'Get Product',
    summary:
      'Returns a product with the data that the organization added to it. Reads reflect all completed writes.',
    access: 'viewer',
    keys: ['search'],
    bindings: {
      '1.0': route('GET', '/api/Catalog/:name/:id', {
        param: ProductPath10,
        answer: Product10,
        encode: toProduct10,
      }),
      '6.0': route('GET', '/api/Catalog/:catalog/products/:id', {
        param: ProductPath,
        query: ProductQuery,
        answer: Product40,
      }),
    },
    handle: async (input: ProductInput & Partial<z.output<typeof ProductQuery>>, ctx) => {
      const { catalog, id, priceList } = input
      const view = await readProduct(ctx, await openFor(ctx, catalog, priceList), id)
      if (!view) throw missingProduct()
      if (input.includeVendorDetails !== false) return view
      // Absent instead of empty, so that the product can be sent back without losing its vendors.
      const { vendors, ...rest } = view
      return rest
    },
  }),
  operation({
    name: 'Update Product',
    summary:
      'Updates the catalog data of a product. Omitted fields are left unchanged, `null` clears a field, and lists and objects are replaced.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: {
      '1.0': route('PUT', '/api/Catalog/:name/:id', update10),
      '6.0': route('PUT', '/api/Catalog/:catalog/products/:id', {
        param: ProductPath,
        body: ProductBody,
        answer: ActionResponse,
      }),
    },
    handle: update,
  }),
  operation({
    name: 'Update Product (POST)',
    summary: 'Same as Update Product.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: { '1.0': route('POST', '/api/Catalog/:name/:id', update10) },
    handle: update,
  }),
  operation({
    name: 'Retrieve Products',
    cost: 4,
    reads: true,
    summary:
      'Returns several products, each once, in the order of the requested ids. Unknown ids are skipped.',
    access: 'viewer',
    keys: ['search'],
    bindings: {
      '1.0': route('POST', '/api/Catalog/:name/retrieveProducts', {
        param: CatalogPath10,
        body: GetByIdsRequest,
        answer: Products10,
      }),
      '6.0': route('POST', '/api/Catalog/:catalog/retrieveProducts', {
        param: CatalogPath,
        body: GetByIdsRequest,
        answer: Products10,
      }),
    },
    handle: async ({ catalog, body }, ctx) => {
      const selection = selectionOf(body, FIELDS10)
      const opened = await openFor(ctx, catalog, body.priceList)
      const found = await readProducts(ctx, opened, body.ids, selection)
      return mapInSteps(found, (view) => selected(toProduct10(view), selection))
    },
  }),
  operation({
    name: 'Delete Product',
    summary: 'Deletes a product and the data added to it. Its change log is kept.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('DELETE', '/api/Catalog/:catalog/products/:id', {
      param: ProductPath,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, id, ifMatch }, ctx) => {
      await deleteProduct(ctx, await writableCatalog(ctx, catalog), id, { ifMatch })
      return done('Product deleted.', { id })
    },
  }),
  ...logOperations,
  operation({
    name: 'Copy Product To Catalog',
    summary:
      'Copies a product to another catalog. The product with the same id there then has the same catalog data and offers.',
    access: 'editor',
    bindings: {
      '1.0': route('POST', '/api/Catalog/:name/:id/copyToCatalog/:catalog', {
        param: CopyPath10,
        answer: ActionResponse,
      }),
      '6.0': route('POST', '/api/Catalog/:catalog/products/:id/copyToCatalog/:targetCatalog', {
        param: CopyPath,
        answer: ActionResponse,
      }),
    },
    handle: async ({ catalog, id, targetCatalog, ifMatch }, ctx) => {
      const from = await openCatalog(ctx, catalog)
      const to = await writableCatalog(ctx, targetCatalog)
      const changed = await copyProduct(ctx, { id, from, to, ifMatch })
      return done(changed ? 'Product copied.' : 'Nothing to change.', { id })
    },
  }),
  ...insightOperations,
]
