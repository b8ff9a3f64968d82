import { changeDocument } from '../elastic/change-document.ts'
import { all, term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { createOwnIndex } from '../elastic/create-own-index.ts'
import { deleteOwnIndex, ownIndexOf } from '../elastic/own-index.ts'
import { Conflict, Forbidden, Invalid } from '../errors.ts'
import type { Language } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { checkLimit, createUpToLimit } from '../platform/limited-creation.ts'
import { rootOf } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createSerialQueue } from '../platform/serial-queue.ts'
import { CatalogNotFound } from './look-up.ts'
import type { CatalogBody } from './schemas.ts'
import {
  type CatalogDocument,
  type CatalogScope,
  cacheId,
  catalogsOf,
  ownedBy,
  productPlaceOf,
  writableCatalog,
} from './store.ts'

const turnsOf = memoizeWeak(createSerialQueue)

/** Throws Conflict for a taken name, Invalid when the organization has all catalogs it may have. */
export function createCatalog(ctx: Context, body: CatalogBody): Promise<void> {
  // Serialized, so that two creations never both take the last place.
  return turnsOf(ctx.elastic).run(ctx.organization.id, () => create(ctx, body))
}

async function create(ctx: Context, body: CatalogBody): Promise<void> {
  const { organization, signal } = ctx
  const limit = organization.catalogLimit ?? limits.organizationCatalogs
  const catalogs = catalogsOf(ctx, rootOf(organization))
  if (await catalogs.get(body.name, { signal })) throw taken()
  const shards = wantedShards(ctx, body, 0)
  const document: Omit<CatalogDocument, 'ownIndex'> = {
    owner: organization.id,
    name: body.name,
    description: body.description ?? null,
    active: body.active ?? true,
    checkRealtime: body.checkRealtime ?? false,
    defaultVendor: body.defaultVendor ?? null,
    ...(body.language ? { language: body.language } : {}),
    created: ctx.clock.now().toISOString(),
    deleted: null,
  }
  const message = `The organization has reached its limit of ${limit} catalogs.`
  const count = () => catalogs.count(ownedBy([organization.id]), { signal })
  await createUpToLimit({
    signal,
    async create() {
      checkLimit(await count(), limit, message)
      const ownIndex = shards > 0 ? ownIndexOf(crypto.randomUUID(), shards) : undefined
      if (ownIndex) await createOwnIndex(ctx.elastic, ownIndex)
      const stored = { ...document, ...(ownIndex ? { ownIndex } : {}) }
      return catalogs
        .create(body.name, stored, { signal, refresh: true })
        .catch(async (error: unknown) => {
          if (!(error instanceof Conflict)) throw error
          if (ownIndex) await deleteOwnIndex(ctx.elastic, ownIndex)
          throw taken()
        })
    },
    excess: async () => ((await count()) > limit ? new Invalid(message) : undefined),
    async remove(at) {
      const { ownIndex } = at.source
      const isRemoved = await catalogs.remove(body.name, { at, refresh: true })
      if (ownIndex) await deleteOwnIndex(ctx.elastic, ownIndex)
      return isRemoved
    },
  })
  ctx.noteChange?.({ after: { ...document, ...(shards > 0 ? { ownIndex: { shards } } : {}) } })
}

/** The shards a body asks for; 0 is the shared index. Throws Forbidden unless an operator asks. */
function wantedShards({ caller }: Context, { shards }: CatalogBody, before: number): number {
  const wanted = shards ?? before
  if (wanted === before || caller.role === 'operator') return wanted
  throw new Forbidden('shards: only an operator can choose the index of a catalog')
}

const taken = () => new Conflict('name: a catalog with this name already exists')

/** Changes the organization's own catalog. Throws NotFound, Forbidden, Invalid. */
export async function updateCatalog(ctx: Context, body: CatalogBody): Promise<void> {
  const scope = await writableCatalog(ctx, body.name, { role: 'administrator' })
  const { shards } = scope.index ?? { shards: 0 }
  wantedShards(ctx, body, shards)
  const language = body.language ?? undefined
  if (language) await checkLanguage(ctx, scope, language)
  await change(ctx, body.name, (document) => ({
    ...document,
    description: body.description === undefined ? document.description : body.description,
    active: body.active ?? document.active,
    checkRealtime: body.checkRealtime ?? document.checkRealtime,
    defaultVendor:
      body.defaultVendor === undefined ? (document.defaultVendor ?? null) : body.defaultVendor,
    ...(language ? { language } : {}),
    ...wishOf(ctx, body, document),
  }))
}

/** The requested move, with the id of its future task. Requesting it again changes nothing. */
function wishOf(
  ctx: Context,
  body: CatalogBody,
  { wanted, ownIndex }: CatalogDocument,
): Pick<CatalogDocument, 'wanted' | 'ownIndex'> {
  const isOperator = ctx.caller.role === 'operator'
  const chosen = isOperator && body.shards === 0 && !ownIndex ? { ownIndex: null } : {}
  const before = (wanted ?? ownIndex)?.shards ?? 0
  const shards = body.shards ?? before
  // Callers who are not operators only send back what they read.
  if (shards === before || !isOperator) return chosen
  return { ...chosen, wanted: { id: crypto.randomUUID(), shards } }
}

/** Search fields depend on the language, so it changes only while the catalog has no products. */
async function checkLanguage(ctx: Context, scope: CatalogScope, language: Language) {
  if (scope.language === language) return
  const { elastic, signal } = ctx
  const stored = collection(elastic, productPlaceOf(scope))
  await stored.refresh({ shared: true, signal })
  const products = await stored.count(undefined, { signal })
  const target = `${scope.owner}/${scope.name}`
  const imports = await collection(elastic, { kind: 'tasks', scope: [] }).count(
    all([term('target', target), term('status', 'running')]),
    { signal },
  )
  if (products === 0 && imports === 0) return
  throw new Invalid(
    `language: the catalog has products that are indexed as ${scope.language}; create a catalog with language ${language} and import them there, or remove them first`,
  )
}

/** Marks a catalog for removal: from now on it is not found. Throws NotFound, Forbidden. */
export async function markCatalogDeleted(ctx: Context, name: string): Promise<void> {
  await change(ctx, name, (document) => ({ ...document, deleted: ctx.clock.now().toISOString() }))
}

async function change(
  ctx: Context,
  name: string,
  next: (document: CatalogDocument) => CatalogDocument,
): Promise<void> {
  await writableCatalog(ctx, name, { role: 'administrator' })
  const root = rootOf(ctx.organization)
  const changed = (found: CatalogDocument | undefined) => {
    if (!found || found.deleted) throw new CatalogNotFound()
    const after = next(found)
    ctx.noteChange?.({ owner: found.owner, before: found, after })
    return after
  }
  const options = { signal: ctx.signal, refresh: true } as const
  await changeDocument(catalogsOf(ctx, root), name, changed, options)
  ctx.cache.drop('catalog', cacheId(root, name))
}
