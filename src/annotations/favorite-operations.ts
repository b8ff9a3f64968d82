import { bothRevisions, type Context, operation, route } from '../operation.ts'
import { ProductPath } from '../products/schemas.ts'
import { SearchResponse } from '../search/response-schemas.ts'
import type { SearchResult } from '../search/run.ts'
import { ActionResponse, CatalogQuery, done } from '../shapes.ts'
import { listFavorites, setFavorites } from './favorites.ts'
import { Favorite, FavoritePath, FavoritesPage } from './schemas.ts'
import type { ProductKey } from './store.ts'

const OF_USER = '/api/Catalog/:catalog/products/:id/favorites/user'
const OF_ORGANIZATION = '/api/Catalog/:catalog/products/:id/favorites/organization'
const marking = { param: ProductPath, answer: ActionResponse }

const mark = (change: Favorite, message: string) => async (key: ProductKey, ctx: Context) => {
  await setFavorites(ctx, key, change)
  return done(message, { id: key.id })
}
const removeUserMark = mark({ user: false }, 'Removed from your favorites.')
const removeCompanyMark = mark({ company: false }, "Removed from the organization's favorites.")

const removing = { param: FavoritePath, query: CatalogQuery, answer: ActionResponse }
export const favoriteOperations = [
  operation({
    name: 'Add to User Favorites',
    summary: 'Marks a product as a favorite of the caller.',
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: { '6.0': route('PUT', OF_USER, marking) },
    handle: mark({ user: true }, 'Added to your favorites.'),
  }),
  operation({
    name: 'Remove from User Favorites',
    summary: "Removes a product from the caller's favorites.",
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: { '6.0': route('DELETE', OF_USER, marking) },
    handle: removeUserMark,
  }),
  operation({
    name: 'Add to Organization Favorites',
    summary: 'Marks a product as a favorite of the organization.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: { '6.0': route('PUT', OF_ORGANIZATION, marking) },
    handle: mark({ company: true }, "Added to the organization's favorites."),
  }),
  operation({
    name: 'Remove from Organization Favorites',
    summary: "Removes a product from the organization's favorites.",
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: { '6.0': route('DELETE', OF_ORGANIZATION, marking) },
    handle: removeCompanyMark,
  }),
  operation({
    name: 'Get Favorites',
    summary:
      'Searches a catalog for the products that the caller or the organization marked as favorites.',
    access: 'viewer',
    cost: 4,
    bindings: bothRevisions('GET', '/api/favorites', {
      query: FavoritesPage,
      answer: SearchResponse.pick({ products: true, total: true })
        .extend({
          products: SearchResponse.shape.products.describe(
            'The favorite products, sorted by name.',
          ),
          metadata: SearchResponse.shape.metadata
            .unwrap()
            .describe('Values available for narrowing the favorite products.'),
        })
        .describe('A page of favorite products.'),
      encode: ({ products, total, metadata }: SearchResult) => ({ products, total, metadata }),
    }),
    handle: (input, ctx) => listFavorites(ctx, input),
  }),
  operation({
    name: 'Set Favorites',
    summary:
      "Sets the caller's favorite mark and, for editors, the organization's. Omitted marks are left unchanged.",
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('PUT', '/api/favorites/:id', {
      param: FavoritePath,
      query: CatalogQuery,
      body: Favorite,
      answer: ActionResponse,
    }),
    handle: async ({ body, ...key }, ctx) => {
      await setFavorites(ctx, key, body)
      return done('Favorites set.', { id: key.id })
    },
  }),
  operation({
    name: 'Remove Company Favorite',
    summary: 'Same as Remove from Organization Favorites.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('DELETE', '/api/favorites/:id/company', removing),
    handle: removeCompanyMark,
  }),
  operation({
    name: 'Remove User Favorite',
    summary: 'Same as Remove from User Favorites.',
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('DELETE', '/api/favorites/:id/user', removing),
    handle: removeUserMark,
  }),
]
