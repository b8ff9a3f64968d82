import { changeDocument } from '../elastic/change-document.ts'
import { all, term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { Conflict, Invalid, NotFound } from '../errors.ts'
import type { Language } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { checkLimit, createUpToLimit } from '../platform/limited-creation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createSerialQueue } from '../platform/serial-queue.ts'
import type { CatalogBody } from './schemas.ts'
import {
  type CatalogDocument,
  cacheId,
  catalogsByOwner,
  catalogsOf,
  productPlaceOf,
  rootOf,
  writableCatalog,
} from './store.ts'

const turnsOf = memoizeWeak(createSerialQueue)

/** Throws Conflict for a taken name, Invalid when the organization has all catalogs it may have. */
export function createCatalog(ctx: Context, body: CatalogBody): Promise<void> {
  // One after the other, so that two creations never both take the last place.
  return turnsOf(ctx.elastic).run(ctx.organization.id, () => create(ctx, body))
}

async function create(ctx: Context, body: CatalogBody): Promise<void> {
  const { organization, signal } = ctx
  const limit = organization.catalogLimit ?? limits.organizationCatalogs
  const catalogs = catalogsOf(ctx, rootOf(organization))
  if (await catalogs.get(body.name, { signal })) throw taken()
  const document: CatalogDocument = {
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
  const message = `The organization may have ${limit} catalogs and has them already.`
  const count = async () =>
    (await catalogsByOwner(ctx, [organization.id], signal)).get(organization.id)!.length
  await createUpToLimit({
    signal,
    async create() {
      checkLimit(await count(), limit, message)
      return catalogs
        .create(body.name, document, { signal, refresh: true })
        .catch((error: unknown) => {
          throw error instanceof Conflict ? taken() : error
        })
    },
    excess: async () => ((await count()) > limit ? new Invalid(message) : undefined),
    remove: (at) => catalogs.remove(body.name, { at, refresh: true }),
  })
  ctx.noteChange?.({ after: document })
}

const taken = () => new Conflict('name: a catalog with this name exists already.')

/** Changes the organization's own catalog. Throws NotFound, Forbidden, Invalid. */
export async function updateCatalog(ctx: Context, body: CatalogBody): Promise<void> {
  const language = body.language ?? undefined
  if (language) await checkLanguage(ctx, body.name, language)
  await change(ctx, body.name, (document) => ({
    ...document,
    description: body.description === undefined ? document.description : body.description,
    active: body.active ?? document.active,
    checkRealtime: body.checkRealtime ?? document.checkRealtime,
    defaultVendor:
      body.defaultVendor === undefined ? (document.defaultVendor ?? null) : body.defaultVendor,
    ...(language ? { language } : {}),
  }))
}

/** Products are written in the language of their catalog: another one needs a catalog without any. */
async function checkLanguage(ctx: Context, name: string, language: Language): Promise<void> {
  const scope = await writableCatalog(ctx, name, { role: 'administrator' })
  if (scope.language === language) return
  const { elastic, signal } = ctx
  await refreshIndex(elastic, 'products', { signal })
  const products = await collection(elastic, productPlaceOf(scope)).count(undefined, { signal })
  const target = `${scope.owner}/${scope.name}`
  const imports = await collection(elastic, { kind: 'tasks', scope: [] }).count(
    all([term('target', target), term('status', 'running')]),
    { signal },
  )
  if (products === 0 && imports === 0) return
  throw new Invalid(
    `language: the catalog has products that were written as ${scope.language}; create a catalog with language ${language} and import them there, or remove them first`,
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
    if (!found || found.deleted) throw new NotFound('Catalog')
    const after = next(found)
    ctx.noteChange?.({ owner: found.owner, before: found, after })
    return after
  }
  const options = { signal: ctx.signal, refresh: true } as const
  await changeDocument(catalogsOf(ctx, root), name, changed, options)
  ctx.cache.drop('catalog', cacheId(root, name))
}
