import { Invalid, NotFound } from '../errors.ts'
import type { OpenInstallation, RunRequest } from '../extensions/contract.ts'
import { checkGiven, checkNames } from '../extensions/field-values.ts'
import { type Installed, isFor } from '../extensions/installation.ts'
import { findReadyExtension, loggedRun, type RunSummary } from '../extensions/run-extension.ts'
import { identitiesOf, runSubject } from '../extensions/run-subject.ts'
import type { ExtensionRunRequest, RecommendationResponse } from '../extensions/schemas.ts'
import type { Context } from '../operation.ts'
import { builtIns } from './built-in.ts'
import { type VisibleAnswer, visibleAnswer } from './remote-answer.ts'

const failed = (error: string): VisibleAnswer => ({
  answer: { error, success: false, products: [], matchedProducts: [], possibleProducts: [] },
  strangers: 0,
})

/** Runs an installed recommendation extension, and logs the run. Throws NotFound, Invalid. */
export async function recommend(
  ctx: Context,
  id: string,
  body: ExtensionRunRequest,
): Promise<RecommendationResponse> {
  const ready = await findReadyExtension(ctx, { kind: 'recommendation', id, builtIns })
  const { manifest, registered } = ready.extension
  // A remote extension may accept names that its manifest does not declare.
  if (registered === undefined) checkNames(manifest, 'additionalFields', body.additionalFields)
  checkGiven(manifest, 'additionalFields', body.additionalFields)
  const request = await requestOf(ctx, ready.installed, body)
  const { answer } = await loggedRun<'recommendation', VisibleAnswer>(
    ctx,
    { ...ready, action: 'run' },
    {
      async work({ manifest, registered, run }, installed) {
        const answer = await run({ ctx, installed, request })
        const isRemote = registered !== undefined
        if (!isRemote) return { answer, strangers: 0 }
        const catalog = usualCatalog(ctx, installed, request)
        return visibleAnswer(ctx, { name: manifest.name, answer, catalog })
      },
      failed,
      summarise: ({ answer, strangers }) => summaryOf(request, answer, strangers),
    },
  )
  return answer
}

/**
 * The request of a run: for the named products, or for the lines of the workspace, newest first.
 * Throws Invalid, and NotFound for a catalog or a workspace, or when no named product exists.
 */
async function requestOf(
  ctx: Context,
  installed: Installed,
  body: ExtensionRunRequest,
): Promise<RunRequest> {
  const { named, lines, workspace } = await runSubject(ctx, body)
  const isNamed = named.length > 0
  const references = isNamed ? named : lines.toReversed()
  const allowed = references.filter(({ catalog }) => isFor(installed, catalog))
  if (isNamed && allowed.length < references.length) {
    throw new Invalid('products: the extension is not installed for all of their catalogs')
  }
  const products = await identitiesOf(ctx, installed, allowed)
  if (isNamed && products.length === 0) throw new NotFound('Product')
  return { additionalFields: body.additionalFields, products, workspace }
}

/** The catalog of a product without one: that of the requested products, else the default one. */
const usualCatalog = (
  { organization }: Context,
  { catalog }: OpenInstallation,
  { products }: RunRequest,
): string | null => products[0]?.catalog ?? catalog ?? organization.defaultCatalog

function summaryOf(
  request: RunRequest,
  { error, products, matchedProducts, possibleProducts }: RecommendationResponse,
  strangers: number,
): RunSummary {
  const leftOut = strangers === 0 ? '' : ` Entries with unknown products: ${strangers}.`
  return {
    message: `${products.length} products recommended.${leftOut}`,
    error,
    counts: {
      productCount: request.products.length,
      recommendedProductCount: products.length,
      potentialMatchProductCount: matchedProducts.length + possibleProducts.length,
    },
  }
}
