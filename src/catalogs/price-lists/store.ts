import { changeDocument } from '../../elastic/change-document.ts'
import type { Elastic } from '../../elastic/client.ts'
import { type Collection, collection } from '../../elastic/collection.ts'
import { NotFound } from '../../errors.ts'
import type { Context, Services } from '../../operation.ts'
import { type Admission, createAdmission } from '../../platform/admission.ts'
import { loadOwner } from '../../platform/load-owner.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import { token } from '../../text.ts'
import {
  type CatalogPlace,
  type CatalogScope,
  PRICE_LISTS as ID,
  priceListsPlaceOf,
  writableCatalog,
} from '../store.ts'
import {
  findList,
  listsFor,
  NO_LISTS,
  type PriceList,
  type PriceListsDocument,
  type RequestedTerms,
  withDeleted,
  withList,
} from './price-list.ts'

export const listsOf = (
  { elastic }: Pick<Services, 'elastic'>,
  scope: CatalogPlace,
): Collection<PriceListsDocument> =>
  collection<PriceListsDocument>(elastic, priceListsPlaceOf(scope))

/** One document holds all lists of a catalog and may be long, so writers take turns with pauses. */
const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({ capacity: 1, waiting: Infinity, pauses: true, what: 'changes of price lists' }),
)

const CACHE = 'price lists'
const cacheId = ({ owner, name }: CatalogPlace): string => token(owner, name)

/** The lists that the current organization may see, at most `limits.cacheMs` old. */
export async function readLists(ctx: Context, scope: CatalogScope): Promise<readonly PriceList[]> {
  const { organization } = ctx
  const load = async () => (await listsOf(ctx, scope).get(ID))?.source ?? NO_LISTS
  const options = { signal: ctx.signal, lengthOf }
  const found = await ctx.cache.get(CACHE, cacheId(scope), load, options)
  return listsFor(found!, scope.owner === organization.id ? null : organization.id)
}

const lengthOf = (document: PriceListsDocument): number => JSON.stringify(document).length

/** Throws NotFound. */
export async function readList(ctx: Context, scope: CatalogScope, name: string) {
  const found = findList(await readLists(ctx, scope), name)
  if (!found) throw missingList()
  return found
}

/** A list and its catalog for an editor, read without the cache. Throws NotFound, Forbidden. */
export async function writableList(ctx: Context, catalog: string, name: string) {
  const scope = await writableCatalog(ctx, catalog)
  const stored = await listsOf(ctx, scope).get(ID, { signal: ctx.signal })
  const list = findList(stored?.source.lists ?? [], name)
  if (!list) throw missingList()
  return { scope, list }
}

const missingList = () => new NotFound('Price list')

/** Creates a list, or replaces its terms and keeps its prices. Throws Conflict. */
export async function putList(
  ctx: Context,
  scope: CatalogScope,
  name: string,
  terms: RequestedTerms,
): Promise<void> {
  const fresh = { id: crypto.randomUUID(), name, now: ctx.clock.now().toISOString() }
  await change(ctx, scope, name, (document) => withList(document, fresh, terms))
}

/** Marks a list as deleted; upkeep then removes its prices. Throws NotFound. */
export async function deleteList(ctx: Context, scope: CatalogScope, name: string): Promise<void> {
  const now = ctx.clock.now().toISOString()
  await change(ctx, scope, name, (document) => {
    const next = withDeleted(document, name, now)
    if (next === document) throw missingList()
    return next
  })
}

async function change(
  ctx: Context,
  scope: CatalogScope,
  name: string,
  next: (document: PriceListsDocument) => PriceListsDocument,
): Promise<void> {
  const changed = (found: PriceListsDocument = NO_LISTS) => {
    const after = next(found)
    const [was, is] = [found, after].map(({ lists }) => findList(lists, name))
    ctx.noteChange?.({ owner: scope.owner, before: was, after: is })
    return after
  }
  const { elastic, organization, signal } = ctx
  const write = () => changeDocument(listsOf(ctx, scope), ID, changed, { signal })
  await turnsOf(elastic).run(loadOwner(organization), write, { signal })
  ctx.cache.drop(CACHE, cacheId(scope))
}
