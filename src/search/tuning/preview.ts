import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { popularProducts } from '../../analytics/popular-products.ts'
import { withPriceList } from '../../catalogs/price-lists/in-effect.ts'
import type { CatalogScope } from '../../catalogs/store.ts'
import { Invalid } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { mapInSteps } from '../../platform/in-steps.ts'
import { allowIgnoredFields } from '../../platform/known-fields.ts'
import { mapLimited } from '../../platform/map-limited.ts'
import { inPacedSteps } from '../../platform/pacing.ts'
import { foundProductsOf } from '../../products/product-documents.ts'
import { viewerOf } from '../../products/view.ts'
import { chargeSearch } from '../../usage/charge.ts'
import { type Criteria, criteriaOf } from '../criteria.ts'
import { withExplanations } from '../explained.ts'
import { inExplanationTurn } from '../explanation-turn.ts'
import { learnedTypesOf } from '../learning/learn-types.ts'
import { SearchRequest } from '../request-schemas.ts'
import { SearchResponse } from '../response-schemas.ts'
import { runSearch } from '../run.ts'
import { answeredProduct } from '../selected-products.ts'
import { orderedBySignals } from '../sort-boosts.ts'
import type { SearchTarget } from '../target.ts'
import { SettingsParts } from './settings.ts'
import { inSettingsTurn, readSettings, tuningFor, withChange } from './store.ts'
import { tuningOf } from './tuning.ts'

/** Settings as Get Search Settings returns them. A running experiment is ignored. */
const PreviewedSettings = allowIgnoredFields(SettingsParts.extend({}), ['experiment', 'version'])

export const PreviewBody = z.object({
  search: SearchRequest.describe('A search, as for Search, without a cursor.'),
  settings: PreviewedSettings.describe(
    'Unsaved settings. Omitted parts are taken from the saved settings.',
  ),
})

const place = z.int().nullable()

export const PreviewResponse = z
  .object({
    saved: SearchResponse.describe('Response of Search with the saved settings.'),
    preview: SearchResponse.describe('Response of Search with the unsaved settings.'),
    moved: z
      .array(
        z.object({
          product: z.string().describe('Id of the product.'),
          from: place.describe(
            'Position with the saved settings, starting at 1. `null` if the product is not on this page.',
          ),
          to: place.describe(
            'Position with the unsaved settings, starting at 1. `null` if the product is not on this page.',
          ),
        }),
      )
      .describe(
        'Products whose position differs, sorted by their new positions. Products that are no longer on the page come last.',
      ),
  })
  .describe('The results of a search with saved and unsaved settings.')

/** Runs a search with the saved settings and with others, for one credit. Throws Invalid. */
export async function previewSettings(
  ctx: Context,
  scope: CatalogScope,
  { search, settings }: z.output<typeof PreviewBody>,
) {
  const criteria = criteriaOf(search)
  if (criteria.cursor !== null)
    throw new Invalid('search.cursor: not supported in a preview; use page')
  const { scope: priced, prices } = await withPriceList(ctx, scope, search.priceList)
  const [saved, tuning] = await Promise.all([readSettings(ctx, scope), tuningFor(ctx, scope)])
  const other = await inSettingsTurn(ctx, async () => {
    // Preparing large settings takes long, so let other work run in between.
    await setImmediate()
    const next = await withChange(saved, settings)
    return inPacedSteps(tuningOf({ ...next, experiment: null }))
  })
  const tunings = [tuning, other]
  const target = {
    products: foundProductsOf(ctx, priced, criteria),
    language: scope.language,
    viewer: viewerOf(ctx, prices),
    now: ctx.clock.now(),
    popular: popularProducts(ctx, scope.name),
    learned: learnedTypesOf(ctx, scope),
    readsSettings: true,
  }
  // Explained searches cost Elasticsearch more, so only one of them is under way.
  const atOnce = criteria.explain ? 1 : tunings.length
  const [before, after] = await inExplanationTurn(ctx, criteria.explain, () =>
    chargeSearch(ctx, (signal) =>
      mapLimited(tunings, atOnce, (each) =>
        runTimed({ ...target, signal, tuning: each }, criteria),
      ),
    ),
  )
  const ids = (found: { products: readonly { id: string }[] }) => found.products.map(({ id }) => id)
  const moved = movedProducts(ids(before!), ids(after!), criteria.from)
  return { saved: before!, preview: after!, moved }
}

async function runTimed(target: SearchTarget, criteria: Criteria) {
  const started = performance.now()
  const asked = orderedBySignals(criteria, target.tuning)
  const { stored: _, products, ...found } = await withExplanations(await runSearch(target, asked))
  const shown = await mapInSteps(products, (product) => answeredProduct(product, criteria))
  return { ...found, products: shown, took: Math.round(performance.now() - started) }
}

function movedProducts(before: readonly string[], after: readonly string[], from: number) {
  const placeIn = (ids: readonly string[], id: string) => {
    const at = ids.indexOf(id)
    return at < 0 ? null : from + at + 1
  }
  return [...new Set([...after, ...before])]
    .map((product) => ({
      product,
      from: placeIn(before, product),
      to: placeIn(after, product),
    }))
    .filter((one) => one.from !== one.to)
}
