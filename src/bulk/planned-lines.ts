import type { CatalogScope } from '../catalogs/store.ts'
import { Conflict, Failure, Invalid } from '../errors.ts'
import { BadRow } from '../formats/rows/mapped-row.ts'
import type { RowChange } from '../formats/rows/row-change.ts'
import type { WrittenProduct } from '../imports/writing/draft.ts'
import { createResolver } from '../imports/writing/resolver.ts'
import type { RowKey } from '../imports/writing/row-keys.ts'
import type { Context } from '../operation.ts'
import { abortCheck } from '../platform/deadline.ts'
import { productsOf } from '../products/product-documents.ts'
import { RefusedEntry } from './tolerant-entry.ts'

/** A parsed line of a request. */
export interface PlannedLine {
  /** Position in the request, from 0. */
  readonly index: number
  /** Keys that name the product when the line has no id. */
  readonly keys: readonly RowKey[]
  /** The row by which the product is found. */
  readonly row: RowChange
  /** The row with the numbers that the product has afterwards. Absent if it keeps its own. */
  readonly written?: RowChange
}

/** The planned lines of a request about one product. */
export interface ProductLines<Planned> extends WrittenProduct {
  readonly lines: readonly Planned[]
}

export const productLines = <Planned>(
  id: string,
  lines: readonly Planned[],
): ProductLines<Planned> => ({ id, lines, size: lines.length })

interface Lines<Line, Planned> {
  readonly lines: readonly (Line | RefusedEntry)[]
  /** Whether a line is still to be done. */
  isOpen(index: number): boolean
  /** Parses a line. A Failure that it throws refuses the line. */
  plan(line: Line, index: number): Planned
  refuse(index: number, why: Failure): void
}

/** Parses lines and groups them by product, in order. */
export async function linesByProduct<Line, Planned extends PlannedLine>(
  ctx: Context,
  scope: CatalogScope,
  { lines, isOpen, plan, refuse }: Lines<Line, Planned>,
): Promise<ProductLines<Planned>[]> {
  const planned: Planned[] = []
  for (const [index, line] of lines.entries()) {
    if (!isOpen(index)) continue
    try {
      if (line instanceof RefusedEntry) throw new Invalid(line.reason)
      planned.push(plan(line, index))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      refuse(index, error)
    }
  }
  const ids = await resolveProducts(ctx, scope, planned)
  const groups = new Map<string, Planned[]>()
  for (const [at, line] of planned.entries()) {
    const id = ids[at]!
    if (id instanceof BadRow) refuse(line.index, new Conflict(id.message))
    else if (groups.has(id)) groups.get(id)!.push(line)
    else groups.set(id, [line])
  }
  return [...groups].map(([id, lines]) => productLines(id, lines))
}

/** Finds the product of each line, in the same way as for a row of an import. */
async function resolveProducts(ctx: Context, scope: CatalogScope, planned: readonly PlannedLine[]) {
  const rows = planned.map(({ row }) => row)
  // A refresh makes products visible that were written just before.
  if (rows.some(({ id }) => id === null)) {
    await productsOf(ctx, scope).refresh({ signal: ctx.signal, shared: true })
  }
  const resolver = createResolver({
    ctx,
    scope,
    empty: false,
    naming: null,
    isCancelled: abortCheck(ctx.signal),
    drained: async () => undefined,
  })
  return resolver.resolve(
    rows,
    planned.map(({ row, written = row }) => written),
  )
}
