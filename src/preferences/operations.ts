import { openCatalog } from '../catalogs/store.ts'
import { Invalid } from '../errors.ts'
import { bothRevisions, operation } from '../operation.ts'
import { criteriaOf } from '../search/criteria.ts'
import { SearchRequestBody, searchOf } from '../search/request-schemas.ts'
import { ActionResponse, CatalogQuery, done } from '../shapes.ts'
import { givenFields, withColumns, withoutSearch, withSearch } from './lists.ts'
import { ColumnPage, Columns, ColumnsAnswer, SavedName, SavedSearches } from './schemas.ts'
import { changePreferences, readPreferences } from './store.ts'

export const preferenceOperations = [
  operation({
    name: 'Get Saved Searches',
    summary: "Lists the caller's saved searches, sorted by name.",
    cost: 4,
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/search/saved', { answer: SavedSearches }),
    handle: async (_input, ctx) => ({
      items: [...(await readPreferences(ctx, 'searches'))],
    }),
  }),
  operation({
    name: 'Save Search',
    summary: 'Saves a search of the caller under a name, replacing any search of that name.',
    access: 'viewer',
    bindings: bothRevisions('PUT', '/api/search/saved/:name', {
      param: SavedName,
      query: CatalogQuery,
      body: SearchRequestBody,
      answer: ActionResponse,
    }),
    handle: async ({ name, sent, ...input }, ctx) => {
      const { catalog, body } = searchOf(input)
      const { cursor } = criteriaOf(body)
      if (cursor !== null && cursor !== '*') {
        throw new Invalid('cursor: must be omitted or "*" in a saved search')
      }
      const search = givenFields(sent)
      const scope = await openCatalog(ctx, catalog)
      const saved = { name, catalog: scope.name, search }
      await changePreferences(ctx, 'searches', (all) => withSearch(all, saved))
      return done('Search saved.', { id: name })
    },
  }),
  operation({
    name: 'Delete Saved Search',
    summary: 'Deletes a saved search of the caller.',
    access: 'viewer',
    fails: ['notFound'],
    bindings: bothRevisions('DELETE', '/api/search/saved/:name', {
      param: SavedName,
      answer: ActionResponse,
    }),
    handle: async ({ name }, ctx) => {
      await changePreferences(ctx, 'searches', (all) => withoutSearch(all, name))
      return done('Saved search deleted.', { id: name })
    },
  }),
  operation({
    name: 'Save Columns',
    summary: 'Saves the columns that the caller wants to see on a page, in order.',
    access: 'viewer',
    bindings: bothRevisions('PUT', '/api/organizations/current/columns/:page', {
      param: ColumnPage,
      body: Columns,
      answer: ActionResponse,
    }),
    handle: async ({ page, body }, ctx) => {
      await changePreferences(ctx, 'columns', (all) => withColumns(all, { page, names: body }))
      return done('Columns saved.', { id: page })
    },
  }),
  operation({
    name: 'Get Columns',
    summary: "Returns the caller's columns for a page. The list is empty if none were saved.",
    access: 'viewer',
    bindings: bothRevisions('GET', '/api/organizations/current/columns/:page', {
      param: ColumnPage,
      answer: ColumnsAnswer,
    }),
    handle: async ({ page }, ctx) => {
      const all = await readPreferences(ctx, 'columns')
      return [...(all.find((columns) => columns.page === page)?.names ?? [])]
    },
  }),
]
