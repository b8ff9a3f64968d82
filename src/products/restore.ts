import { validate, version as versionOf } from 'uuid'
import type { CatalogScope } from '../catalogs/store.ts'
import { timeOfUuid } from '../elastic/monthly-names.ts'
import { Invalid, NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import { readEntry } from './change-log.ts'
import { applyPatch } from './patch.ts'
import type { ChangeEntry, Product } from './product.ts'
import { readPart } from './product-documents.ts'
import { restorePatch } from './restore-patch.ts'
import { changeProduct } from './store.ts'

export interface Restore {
  readonly id: string
  readonly logId: string
  readonly ifMatch?: string | undefined
}

/**
 * Reverts one change of a product by a new change. Returns whether anything changed. Throws
 * NotFound for an entry of another product, Invalid for the creation of the product and for an
 * entry of a deleted product that had its id.
 */
export async function restoreProduct(
  ctx: Context,
  scope: CatalogScope,
  { id, logId, ifMatch }: Restore,
): Promise<boolean> {
  const entry = await entryOf(ctx, scope, { id, logId })
  if (entry.version === 1 && !entry.copiedTo) {
    throw new Invalid('logId: this entry is the creation of the product; there is no earlier state')
  }
  const { changed } = await changeProduct(
    ctx,
    scope,
    id,
    (document) => {
      checkLife(document.product, entry)
      const patch = restorePatch(document.product, entry.changes)
      return { ...document, product: applyPatch(document.product, patch) }
    },
    { ifMatch },
  )
  return changed
}

function checkLife({ created }: Product, { timestamp }: ChangeEntry): void {
  if (created === undefined || timestamp >= created) return
  throw new Invalid('logId: this entry is about a product with this id that has been deleted since')
}

async function entryOf(ctx: Context, scope: CatalogScope, { id, logId }: Restore) {
  const { owner, name, index } = scope
  const found = await readPart(ctx, { owner, name, index }, id, ['pending'])
  // The product is read first: an entry that leaves it afterwards is already in the log.
  const waiting = found.pending?.find((entry) => entry.id === logId)
  const stored = async () =>
    isEntryId(logId) ? readEntry(ctx, { owner, id: logId }, ctx.signal) : undefined
  const entry: ChangeEntry | undefined = waiting ?? (await stored())
  if (!entry || entry.catalog !== name || entry.productId !== id) throw new NotFound('Log entry')
  return entry
}

const LAST_YEAR = 9_999

/** A UUIDv7 whose time can name a month. */
const isEntryId = (id: string): boolean =>
  validate(id) && versionOf(id) === 7 && timeOfUuid(id).getUTCFullYear() <= LAST_YEAR
