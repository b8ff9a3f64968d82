import type { z } from 'zod'
import { CatalogKey } from '../../catalogs/schemas.ts'
import { type CatalogScope, writableCatalog } from '../../catalogs/store.ts'
import { bothRevisions, type Context, type Operation, operation } from '../../operation.ts'
import { ActionResponse, done } from '../../shapes.ts'
import { AUDITED_SETTINGS } from './audited-settings.ts'
import { checkNewName, experimentOperations } from './experiments.ts'
import { PreviewBody, PreviewResponse, previewSettings } from './preview.ts'
import { FacetSettings, RankingSettings, SearchRules, SynonymSettings } from './schemas.ts'
import { type SearchSettings, SearchSettingsChange, SearchSettingsResponse } from './settings.ts'
import { changeSettings, readSettings, settingsVersion } from './store.ts'

/** Throws Forbidden if the caller has no role in the organization that owns the catalog. */
async function readableCatalog(ctx: Context, catalog: string): Promise<CatalogScope> {
  const deed = 'Reading the search settings of'
  const scope = await writableCatalog(ctx, catalog, { role: 'viewer', deed })
  ctx.noteChange?.({ owner: scope.owner })
  return scope
}

type PartName = Exclude<keyof SearchSettings, 'experiment'>

interface Part<K extends PartName> {
  readonly key: K
  /** Used in the names of its operations. */
  readonly title: string
  readonly what: string
  readonly schema: z.ZodType<SearchSettings[K]>
}

function operationsOf<K extends PartName>(part: Part<K>): Operation[] {
  const { key, title, what, schema } = part
  const path = `/api/Catalog/:catalog/search/${key}`
  return [
    operation({
      name: `Get ${title}`,
      summary: `Returns ${what} of a catalog.`,
      cost: 4,
      access: 'viewer',
      audit: AUDITED_SETTINGS,
      bindings: bothRevisions('GET', path, { param: CatalogKey, answer: schema }),
      handle: async ({ catalog }, ctx) =>
        (await readSettings(ctx, await readableCatalog(ctx, catalog)))[key],
    }),
    operation({
      name: `Update ${title}`,
      summary: `Replaces ${what} of a catalog. The change takes effect within a second.`,
      access: 'editor',
      audit: AUDITED_SETTINGS,
      fails: ['preconditionFailed'],
      bindings: bothRevisions('PUT', path, {
        param: CatalogKey,
        body: schema,
        answer: ActionResponse,
      }),
      handle: async ({ catalog, ifMatch, body }, ctx) => {
        const scope = await writableCatalog(ctx, catalog)
        await changeSettings(ctx, scope, () => ({ [key]: body }), { ifMatch })
        return done(`${title} saved.`, { id: scope.name })
      },
    }),
  ]
}

export const tuningOperations: readonly Operation[] = [
  operation({
    name: 'Get Search Settings',
    summary: 'Returns all search settings of a catalog.',
    cost: 4,
    access: 'viewer',
    audit: AUDITED_SETTINGS,
    bindings: bothRevisions('GET', '/api/Catalog/:catalog/search/settings', {
      param: CatalogKey,
      answer: SearchSettingsResponse,
    }),
    handle: async ({ catalog }, ctx) => {
      const settings = await readSettings(ctx, await readableCatalog(ctx, catalog))
      return { ...settings, version: settingsVersion(settings) }
    },
  }),
  operation({
    name: 'Update Search Settings',
    summary:
      'Replaces the given parts of the search settings of a catalog. The change takes effect within a second.',
    access: 'editor',
    audit: AUDITED_SETTINGS,
    fails: ['conflict', 'preconditionFailed'],
    bindings: bothRevisions('PUT', '/api/Catalog/:catalog/search/settings', {
      param: CatalogKey,
      body: SearchSettingsChange,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, ifMatch, body }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      await checkNewName(ctx, scope, body.experiment)
      await changeSettings(ctx, scope, () => body, { ifMatch })
      return done('Search settings saved.', { id: scope.name })
    },
  }),
  operation({
    name: 'Preview Search Settings',
    summary:
      'Runs a search with unsaved settings and compares the results with those of the saved settings.',
    access: 'editor',
    cost: 8,
    reads: true,
    fails: ['exhausted'],
    bindings: bothRevisions('POST', '/api/Catalog/:catalog/search/preview', {
      param: CatalogKey,
      body: PreviewBody,
      answer: PreviewResponse,
    }),
    handle: async ({ catalog, body }, ctx) =>
      previewSettings(ctx, await writableCatalog(ctx, catalog), body),
  }),
  ...operationsOf({
    key: 'synonyms',
    title: 'Synonyms',
    what: 'the synonyms',
    schema: SynonymSettings,
  }),
  ...operationsOf({
    key: 'rules',
    title: 'Search Rules',
    what: 'the rules',
    schema: SearchRules,
  }),
  ...operationsOf({
    key: 'ranking',
    title: 'Ranking Settings',
    what: 'the ranking settings',
    schema: RankingSettings,
  }),
  ...operationsOf({
    key: 'facets',
    title: 'Facet Settings',
    what: 'the facet settings',
    schema: FacetSettings,
  }),
  ...experimentOperations,
]
