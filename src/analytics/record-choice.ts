import type { z } from 'zod'
import { openCatalog } from '../catalogs/store.ts'
import { Invalid, ignoring, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { productsOf } from '../products/product-documents.ts'
import type { SearchEvent } from './event.ts'
import { logEvents, type NewEvent } from './events.ts'
import { tokenContext } from './record-search-event.ts'
import { isRobot } from './robots.ts'
import type { ChoiceBody } from './schemas.ts'
import { placeIn, readToken, type SearchToken } from './search-token.ts'

/**
 * Counts a choice from a search without delaying the answer. A repeated choice counts once. Throws
 * Invalid for a search of another organization, one that is too old, or without the product.
 */
export async function chooseProduct(
  ctx: Context,
  { searchId, productId, kind }: z.output<typeof ChoiceBody>,
): Promise<void> {
  const token = openToken(ctx, searchId)
  const place = placeIn(token.marks, productId)
  if (place < 0 || !(await isVisibleToCaller(ctx, token.catalog, productId))) {
    throw new Invalid('productId: not among the products of that response')
  }
  if (isRobot(ctx.sender?.agent)) return
  const { id, catalog, query, assignment } = token
  const time = new Date(token.time)
  const about = {
    ...{ catalog, time: time.toISOString() },
    ...(query === null ? {} : { query }),
    ...assignment,
  }
  const position = token.from === null ? {} : { position: token.from + place + 1 }
  const once = (what: SearchEvent['kind']): NewEvent => ({
    id: `${id} ${what}`,
    event: { kind: what, ...about },
  })
  logEvents(ctx, time, [
    {
      id: `${id} ${kind} ${productId}`,
      event: { kind, ...about, product: productId, ...position },
    },
    ...(token.isCounted ? [once('chosen')] : []),
    ...(token.isCounted && kind !== 'click' ? [once('converted')] : []),
  ])
}

/** Whether the caller may see the product. Only bound keys are checked. */
async function isVisibleToCaller(ctx: Context, catalog: string, id: string): Promise<boolean> {
  if (!ctx.caller.bounds) return true
  const scope = await openCatalog(ctx, catalog, { active: true }).catch(ignoring(NotFound))
  if (!scope) return false
  const source = ['product.id']
  return (await productsOf(ctx, scope).get(id, { source, signal: ctx.signal })) !== undefined
}

function openToken(ctx: Context, searchId: string): SearchToken {
  const token = readable(ctx, searchId)
  if (!token) {
    throw new Invalid('searchId: unknown; send the `searchId` of a search response')
  }
  if (ctx.clock.now().getTime() - token.time > limits.choiceMs) {
    throw new Invalid('searchId: the search is too old; choices from it are no longer counted')
  }
  return token
}

function readable(ctx: Context, searchId: string): SearchToken | undefined {
  try {
    return readToken(ctx.secrets.open(searchId, tokenContext(ctx)))
  } catch {
    return undefined
  }
}
