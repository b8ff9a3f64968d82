import { writableCatalog } from '../catalogs/store.ts'
import { type Failure, Invalid, NotFound } from '../errors.ts'
import type { Preview, Problem, Validation } from '../extensions/contract.ts'
import type { Format } from '../formats/format.ts'
import { checkedColumns } from '../formats/rows/mapping.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { abortCheck } from '../platform/deadline.ts'
import { inSteps } from '../platform/in-steps.ts'
import type { Steps } from '../platform/steps.ts'
import { productsOf } from '../products/product-documents.ts'
import { firstRowsOf } from './first-rows.ts'
import { groupRows } from './group-rows.ts'
import { createManufacturers } from './manufacturers.ts'
import { type Bound, fallbackVendorOf, readingOf, requestFrom } from './request.ts'
import type { ImportRequest } from './schemas.ts'
import { tallyOf } from './tally.ts'
import { applyRows, type RowOutcome } from './writing/apply-rows.ts'
import type { ProductRows } from './writing/product-rows.ts'
import { createResolver } from './writing/resolver.ts'

const READ_MS = 2_000
const PLACED = /^([\w.[\]]+): (.+)$/s

/**
 * Previews an import with the first rows of its file, and returns the problems of its request.
 * Nothing is written. `given` has the fields of an ImportQueueRequest; without a file only the
 * mappings are checked.
 */
export async function dryRunOf(
  ctx: Context,
  given: Readonly<Record<string, unknown>>,
  { vendors }: Bound,
): Promise<Validation> {
  try {
    const request = requestFrom(given)
    const { problems } = checkedColumns(request.mappings)
    if (problems.length > 0 || request.fileUrl === null) return { problems }
    return { problems, preview: await previewOf(ctx, request, { vendors }) }
  } catch (error) {
    if (error instanceof Invalid || error instanceof NotFound)
      return { problems: [asProblem(error)] }
    throw error
  }
}

/** Splits a message that begins with its field. */
function asProblem({ message }: Failure): Problem {
  const [, field, text] = PLACED.exec(message) ?? []
  return field === undefined ? { field: 'fileUrl', message } : { field, message: text! }
}

async function previewOf(ctx: Context, request: ImportRequest, bound: Bound): Promise<Preview> {
  const scope = await writableCatalog(ctx, request.targetCatalog)
  const settingsFor = (format: Format) =>
    readingOf(request, format, { ...bound, fallbackVendor: fallbackVendorOf(ctx, scope) })
  const file = await firstRowsOf(ctx, request, settingsFor, {
    count: limits.trialRows,
  })
  const manufacturers = request.normalizeManufacturerName
    ? await createManufacturers(ctx, scope)
    : undefined
  const products = productsOf(ctx, scope)
  const waiting = { timeoutMs: READ_MS, signal: ctx.signal }
  const resolver = createResolver({
    ctx,
    scope,
    spell: manufacturers?.spell,
    empty: (await products.count(undefined, waiting)) === 0,
    naming: null,
    isCancelled: abortCheck(ctx.signal),
    drained: async () => undefined,
  })
  const all = file.rows.slice(0, limits.trialRows)
  const rows = manufacturers?.normalised(all) ?? all
  const { groups, unread } = await groupRows({ rows, resolver, before: 0 })
  const existing = await products.getMany(
    groups.map(({ id }) => id),
    waiting,
  )
  const options = {
    catalog: scope.name,
    organization: ctx.organization.id,
    createProducts: request.createProducts,
    updateMetadata: request.updateMetadata,
    stamp: { entryId: '', actor: ctx.caller.username, source: 'import' as const },
    now: ctx.clock.now(),
  }
  const outcomes = new Map<ProductRows, readonly RowOutcome[]>()
  function* applied(): Steps<void> {
    for (const [at, group] of groups.entries()) {
      const rows = applyRows(group.id, existing[at]?.source, group.changes(), options)
      outcomes.set(group, (yield* rows).outcomes)
      yield
    }
  }
  await inSteps(applied())
  const { counts, rejected: rejects } = tallyOf(outcomes, unread)
  const { created, updated, unchanged, rejected } = counts
  return {
    ...{ created, updated, unchanged, rejected },
    rejects: rejects.map(({ line, reason }) => ({ line, reason })),
    headerRow: file.headingLine ?? null,
    system: file.system ?? null,
  }
}
