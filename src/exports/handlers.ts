import { openCatalog } from '../catalogs/store.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Call, ExportExtension, OpenInstallation, RunRequest } from '../extensions/contract.ts'
import { checkGiven } from '../extensions/field-values.ts'
import {
  findReadyExtension,
  loggedRun,
  openInstallation,
  type ReadyExtension,
} from '../extensions/run-extension.ts'
import type {
  ExtensionLinksRequest,
  ExtensionLinksResponse,
  ExtensionOptionsRequest,
  ExtensionOptionsResponse,
  ExtensionRunRequest,
  ExtensionRunResponse,
  PossibleMatchesResponse,
} from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { builtIns } from './built-in.ts'
import { fieldsContext } from './call-pages.ts'
import { externalProducts, readLinks, storeLinksReliably } from './links.ts'
import { possibleMatches } from './matches.ts'
import { requestOf } from './request.ts'
import { searchOfRun } from './settings.ts'
import { queueExport } from './start.ts'

const ready = (ctx: Context, id: string): Promise<ReadyExtension<'export'>> =>
  findReadyExtension(ctx, { kind: 'export', id, builtIns })

/** The message of an export, and how many of the ids that it returned are not stored. */
const withLost = (message: string | null, lost: number): string =>
  [
    ...(message ? [message] : []),
    `Ids that were not stored as links, since their product is gone or has no room for more: ${lost}.`,
  ].join(' ')

const failure = (error: string) => ({ error, success: false, products: [] })

/** Runs an export. Ids of products in the other system are stored as links. */
export async function runExportExtension(
  ctx: Context,
  id: string,
  body: ExtensionRunRequest & { readonly catalog: string | undefined },
): Promise<ExtensionRunResponse> {
  const found = await ready(ctx, id)
  checkGiven(found.extension.manifest, 'additionalFields', body.additionalFields)
  const { request, catalog } = await requestOf(ctx, found.installed, body)
  const isWhole = request.products.length === 0 && request.workspace === null
  const isRemote = !builtIns.includes(found.extension)
  return loggedRun<'export', ExtensionRunResponse>(
    ctx,
    { ...found, action: 'run' },
    {
      async work(extension, values) {
        const installed = { ...values, catalog }
        if (isRemote && isWhole) return queueRemote({ ctx, installed, request }, extension)
        const answer = await extension.run({ ctx, installed, request })
        const named = externalProducts(answer.products)
        if (named.length === 0) return answer
        const lost = await storeLinksReliably(ctx, found.installed.id, named)
        return lost === 0 ? answer : { ...answer, message: withLost(answer.message, lost) }
      },
      failed: (error) => ({
        ...failure(error),
        redirectUrl: null,
        messageHeader: null,
        message: null,
      }),
      summarise: ({ message, error, products }) => ({
        message: message ?? 'Ran.',
        error,
        counts: { productCount: products.length },
      }),
    },
  )
}

/**
 * Queues the export of a whole catalog to a remote extension, which gets a page of products in each
 * call. `search` limits it, unless the extension has a field of that name itself. Throws Invalid.
 */
function queueRemote(
  { ctx, installed: { id, name, catalog }, request: { additionalFields } }: Call<RunRequest>,
  { manifest: { fields }, origin }: ExportExtension,
): Promise<ExtensionRunResponse> {
  const { search, ...others } = additionalFields
  const isTheirs = search === undefined || fields.some(({ field }) => field === 'search')
  const values = JSON.stringify(isTheirs ? additionalFields : others)
  const remote = {
    fields: ctx.secrets.seal(values, fieldsContext(ctx, id)),
    origin: origin ?? null,
    pageSize: limits.exportPage,
  }
  const job = {
    installed: { id, name },
    selection: {
      products: null,
      catalog: catalog ?? '',
      search: isTheirs ? null : searchOfRun({ search }),
    },
    to: { format: 'remote' as const, remote },
  }
  return queueExport({ ctx }, job)
}

/** Links of products to their ids in the extension: the stored ones, and its own. */
export async function existingLinks(
  ctx: Context,
  id: string,
  body: ExtensionLinksRequest,
): Promise<ExtensionLinksResponse> {
  const found = await ready(ctx, id)
  const kept = await readLinks(ctx, body, [id, found.installed.extension])
  const { links } = found.extension
  const alone = { error: null, links: kept }
  if (!links || body.products.length === 0) return alone
  const asked = await requestOf(ctx, found.installed, {
    additionalFields: {},
    products: body.products.map(({ acId, acCatalog }) => ({ id: acId, catalog: acCatalog })),
    workspace: null,
    catalog: undefined,
  }).catch(refusalReason)
  if (typeof asked === 'string') return { ...alone, error: asked }
  if (!asked) return alone
  const { products } = asked.request
  return loggedRun<'export', ExtensionLinksResponse>(
    ctx,
    { ...found, action: 'links' },
    {
      async work(_, installed) {
        const own = await links({ ctx, installed, request: { products } })
        const keys = new Set(kept.map(keyOf))
        const others = own.links.filter((link) => !keys.has(keyOf(link)))
        return { error: null, links: [...kept, ...others] }
      },
      failed: (error) => ({ ...alone, error }),
      summarise: ({ links: all, error = null }) => ({
        message: `${all.length} links.`,
        error,
        counts: { productCount: products.length },
      }),
    },
  )
}

/** The reason why the extension cannot be asked for links; undefined when no product exists. */
function refusalReason(error: unknown): string | undefined {
  if (error instanceof NotFound) return undefined
  if (error instanceof Invalid) return error.message
  throw error
}

const keyOf = ({ acId, acCatalog, externalId }: ExtensionLinksResponse['links'][number]): string =>
  JSON.stringify([acId, acCatalog, externalId])

/** Ranks products for an item of another system, by the extension itself if it can. */
export async function exportMatches(
  ctx: Context,
  id: string,
  body: ExtensionRunRequest,
): Promise<PossibleMatchesResponse> {
  const found = await ready(ctx, id)
  checkGiven(found.extension.manifest, 'additionalFields', body.additionalFields)
  const catalog = body.additionalFields.catalog
  const asked = await requestOf(ctx, found.installed, { ...body, catalog })
  return loggedRun<'export', PossibleMatchesResponse>(
    ctx,
    { ...found, action: 'possibleMatches' },
    {
      work(extension, values) {
        const installed = { ...values, catalog: asked.catalog }
        const match = extension.possibleMatches ?? possibleMatches
        return match({ ctx, installed, request: asked.request })
      },
      failed: failure,
      summarise: ({ error, products }) => ({
        message: `${products.length} possible matches.`,
        error,
        counts: { potentialMatchProductCount: products.length },
      }),
    },
  )
}

interface OptionsInput {
  readonly id: string
  readonly field: string
  readonly catalog?: string | undefined
  readonly body: ExtensionOptionsRequest
}

/** Values that a field of an installed export may be given. Throws NotFound. */
export async function exportOptions(
  ctx: Context,
  { id, field, catalog, body }: OptionsInput,
): Promise<ExtensionOptionsResponse> {
  const found = await ready(ctx, id)
  const { manifest } = found.extension
  const known = manifest.fields.find((one) => one.field === field)
  if (!known) throw new NotFound('Field')
  checkGiven(manifest, 'additionalData', body.additionalData)
  const named = catalog ? (await openCatalog(ctx, catalog)).name : undefined
  const call = (installed: OpenInstallation) => ({
    ctx,
    installed: { ...installed, catalog: named ?? installed.catalog },
    request: { field, additionalData: body.additionalData, search: body.search },
  })
  const { options } = found.extension
  if (!options) return { error: null, success: true, options: [] }
  // Built-in options are requested at each keystroke, and cannot fail.
  if (builtIns.includes(found.extension)) {
    return options(call(await openInstallation(ctx, found.extension, found.installed)))
  }
  return loggedRun<'export', ExtensionOptionsResponse>(
    ctx,
    { ...found, action: 'options' },
    {
      work: (_, installed) => options(call(installed)),
      failed: (error) => ({ error, success: false, options: [] }),
      summarise: (answer) => ({
        message: `${answer.options.length} options.`,
        error: answer.error,
      }),
    },
  )
}
