import { all, term } from '../elastic/clauses.ts'
import { inAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import type { CatalogDocument, ProductPlace } from './store.ts'

/**
 * Places of the products of catalogs by scope (`owner/name`), including catalogs that are being
 * removed. For upkeep, which finds products of any catalog.
 */
export async function productPlaces(
  { elastic }: Pick<Services, 'elastic'>,
  scopes: Iterable<string>,
): Promise<Map<string, ProductPlace>> {
  const wanted = [...new Set(scopes)].map((scope) => scope.split('/') as [string, string])
  const pairs = wanted.map(([owner, name]) => all([term('owner', owner), term('name', name)])!)
  type Located = Pick<CatalogDocument, 'owner' | 'name' | 'ownIndex' | 'move'>
  const catalogs = inAllScopes<Located>(elastic, 'catalogs')
  const since = performance.now()
  const found = await catalogs.find({
    size: pairs.length,
    _source: ['scope', 'owner', 'name', 'ownIndex', 'move'],
    query: { bool: { should: pairs, minimum_should_match: 1 } },
  })
  return new Map(
    found.map(({ scope: root, owner, name, ownIndex, move }) => [
      `${owner}/${name}`,
      { owner, name, index: ownIndex ?? null, known: { root, since, isMoving: Boolean(move) } },
    ]),
  )
}
