import { both, operation, route } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { CatalogBody, CatalogKey, GetCatalogsResponse } from './schemas.ts'
import { listCatalogs } from './store.ts'
import { createCatalog, markCatalogDeleted, updateCatalog } from './writes.ts'

const getCatalogs = operation({
  name: 'Get Catalogs',
  summary: "Lists the organization's own catalogs and those of its parent.",
  access: 'viewer',
  bindings: { '6.0': route('GET', '/api/Catalog', { answer: GetCatalogsResponse }) },
  handle: async (_input: object, ctx) => {
    const { id, parent } = ctx.organization
    const owners = parent === null ? [id] : [parent, id]
    const lists = await Promise.all(owners.map((owner) => listCatalogs(ctx, owner, ctx.signal)))
    return { catalogs: lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1)) }
  },
})

const create = { body: CatalogBody, answer: ActionResponse }

const createCatalogOperation = operation({
  name: 'Create Catalog',
  summary: 'Creates a catalog, whose name is unique in the organization, its parent and children.',
  access: 'administrator',
  fails: ['conflict'],
  bindings: both('POST', '/api/Catalog', create),
  handle: async ({ body }: { body: CatalogBody }, ctx) => {
    await createCatalog(ctx, body)
    return done('Catalog created.', { id: body.name })
  },
})

const updateCatalogOperation = operation({
  name: 'Update Catalog',
  summary: 'Changes the catalog of that name; what the body leaves out stays.',
  access: 'administrator',
  bindings: {
    '6.0': route('PUT', '/api/Catalog', { body: CatalogBody, answer: ActionResponse }),
  },
  handle: async ({ body }, ctx) => {
    await updateCatalog(ctx, body)
    return done('Catalog updated.', { id: body.name })
  },
})

const remove = { param: CatalogKey, answer: ActionResponse }

const deleteCatalog = operation({
  name: 'Delete Catalog',
  summary: 'Makes a catalog unfindable at once; its name is free again when its products are gone.',
  access: 'administrator',
  bindings: both('DELETE', '/api/Catalog/:catalog', remove),
  handle: async ({ catalog }: { catalog: string }, ctx) => {
    await markCatalogDeleted(ctx, catalog)
    return done('Catalog deleted.', { id: catalog })
  },
})

export const catalogOperations = [
  getCatalogs,
  createCatalogOperation,
  updateCatalogOperation,
  deleteCatalog,
]
