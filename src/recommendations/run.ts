import { answerOf } from '../extensions/remote-call.ts'
import { findReady, loggedRun } from '../extensions/using.ts'
import type { ExtensionRunRequest, RecommendationResponse } from '../extensions/wire.ts'
import type { Context } from '../operation.ts'
import { askedOf } from './asked.ts'
import { builtIns } from './built-in.ts'

const failed = (error: string): RecommendationResponse => ({
  error,
  success: false,
  products: [],
  matchedProducts: [],
  possibleProducts: [],
})

/** Runs an installed recommendation extension, and logs the run. Throws NotFound, Invalid. */
export async function recommend(
  ctx: Context,
  id: string,
  body: ExtensionRunRequest,
): Promise<RecommendationResponse> {
  const ready = await findReady(ctx, { kind: 'recommendation', id, builtIns })
  const request = await askedOf(ctx, ready.installed, body)
  return loggedRun(
    ctx,
    { ...ready, action: 'run' },
    {
      work: (extension, installed) =>
        answerOf<RecommendationResponse>(() => extension.run({ ctx, installed, request }), failed),
      summarise: ({ error, products, matchedProducts, possibleProducts }) => ({
        message: `${products.length} products recommended.`,
        error,
        counts: {
          productCount: request.products.length,
          recommendedProductCount: products.length,
          potentialMatchProductCount: matchedProducts.length + possibleProducts.length,
        },
      }),
    },
  )
}
