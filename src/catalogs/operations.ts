import { bothRevisions, operation, route } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { CatalogBody, CatalogKey, GetCatalogsResponse } from './schemas.ts'
import { type CatalogDocument, catalogsByOwner } from './store.ts'
import { createCatalog, markCatalogDeleted, updateCatalog } from './writes.ts'

const AUDITED = {
  target: 'catalog',
  part: ({ owner, created, ownIndex, wanted, move, ...catalog }: CatalogDocument) => ({
    ...catalog,
    shards: (wanted ?? ownIndex)?.shards ?? 0,
  }),
  values: [
    ...['name', 'description', 'active', 'checkRealtime', 'defaultVendor', 'language', 'deleted'],
    'shards',
  ],
} as const

export const catalogOperations = [
  operation({
    name: 'Get Catalogs',
    summary: 'Lists the catalogs of the organization and of its parent.',
    cost: 4,
    access: 'viewer',
    bindings: { '6.0': route('GET', '/api/Catalog', { answer: GetCatalogsResponse }) },
    handle: async (_input, ctx) => {
      const { id, parent } = ctx.organization
      const owners = parent === null ? [id] : [parent, id]
      const lists = await catalogsByOwner(ctx, owners, ctx.signal)
      return { catalogs: [...lists.values()].flat().sort((a, b) => (a.name < b.name ? -1 : 1)) }
    },
  }),
  operation({
    name: 'Create Catalog',
    summary:
      'Creates a catalog. Its name must be unique across the organization, its parent and its children.',
    access: 'administrator',
    audit: { ...AUDITED, id: ({ body }) => body.name },
    fails: ['conflict'],
    bindings: bothRevisions('POST', '/api/Catalog', { body: CatalogBody, answer: ActionResponse }),
    handle: async ({ body }, ctx) => {
      await createCatalog(ctx, body)
      return done('Catalog created.', { id: body.name })
    },
  }),
  operation({
    name: 'Update Catalog',
    summary: 'Updates the catalog with the given name. Omitted fields are left unchanged.',
    access: 'administrator',
    audit: { ...AUDITED, id: ({ body }) => body.name },
    bindings: {
      '6.0': route('PUT', '/api/Catalog', { body: CatalogBody, answer: ActionResponse }),
    },
    handle: async ({ body }, ctx) => {
      await updateCatalog(ctx, body)
      return done('Catalog updated.', { id: body.name })
    },
  }),
  operation({
    name: 'Delete Catalog',
    summary:
      'Deletes a catalog at once. Its name can be reused as soon as its products are removed.',
    access: 'administrator',
    audit: { ...AUDITED, id: ({ catalog }) => catalog },
    bindings: bothRevisions('DELETE', '/api/Catalog/:catalog', {
      param: CatalogKey,
      answer: ActionResponse,
    }),
    handle: async ({ catalog }, ctx) => {
      await markCatalogDeleted(ctx, catalog)
      return done('Catalog deleted.', { id: catalog })
    },
  }),
]
