import { openCatalog } from '../catalogs/store.ts'
import { Forbidden, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { type Context, ROLES } from '../operation.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import { viewerOf } from '../products/view.ts'
import { criteriaOf } from '../search/criteria.ts'
import { SearchRequest } from '../search/request-schemas.ts'
import { runSearch, type SearchResult } from '../search/run.ts'
import { markFavorite } from './changes.ts'
import type { Favorite, FavoritesPage } from './schemas.ts'
import { changeAnnotations, type ProductKey } from './store.ts'

/** Absent and null leave a mark unchanged. The organization's mark needs an editor. */
export async function setFavorites(
  ctx: Context,
  key: ProductKey,
  favorite: Favorite,
): Promise<void> {
  const isOfCompany = typeof favorite.company === 'boolean'
  if (isOfCompany && ROLES.indexOf(ctx.caller.role) < ROLES.indexOf('editor')) {
    throw new Forbidden("Changing the organization's favorites (company) requires the role editor.")
  }
  await changeAnnotations(ctx, key, markFavorite(ctx.caller.username, favorite))
}

const MARKED = [
  { type: 'favorite', value: 'user' },
  { type: 'favorite', value: 'company' },
]

/** Searches for the products that the caller or the organization marked. */
export async function listFavorites(ctx: Context, input: FavoritesPage): Promise<SearchResult> {
  const { catalog, page, pageSize } = input
  if ((page + 1) * pageSize > limits.resultWindow) {
    throw new Invalid(
      `page: the list has only the first ${limits.resultWindow} favorites; to get all, use Search with criteria of type favorite and a cursor`,
    )
  }
  const criteria = criteriaOf(SearchRequest.parse({ must: MARKED, page, pageSize }))
  const scope = await openCatalog(ctx, catalog, { active: true })
  const { language } = scope
  const products = foundProductsOf(ctx, scope)
  return runSearch({ products, viewer: viewerOf(ctx), language, signal: ctx.signal }, criteria)
}
