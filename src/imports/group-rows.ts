import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FileRows } from '../formats/format.ts'
import { BadRow } from '../formats/rows/mapped-row.ts'
import type { RawRow } from '../formats/rows/raw-row.ts'
import type { RowChange } from '../formats/rows/row-change.ts'
import { PASSED_OVER } from '../formats/rows/row-shape.ts'
import type { RejectedRow } from './tally.ts'
import { ProductRows, type ReadRow } from './writing/product-rows.ts'
import type { Resolver } from './writing/resolver.ts'

export interface GroupRowsOptions {
  /** The vendor of a full file. */
  readonly vendor?: string | undefined
  readonly rows: Pick<FileRows, 'read'>
  readonly resolver: Resolver
  readonly batch: readonly RawRow[]
  /** Number of rows before the batch. */
  readonly before: number
}

/** Rows and characters per slice, small enough that its objects are collected young. */
const SLICE = { rows: 25, length: 32 * 1024 }

/**
 * Reads a batch in slices and passes the new products of each slice to `ahead`. Later slices may
 * add rows to them. Undefined when products must be searched for, which needs the whole batch.
 */
export async function groupRowsDirectly(
  parts: GroupRowsOptions,
  ahead: (groups: readonly ProductRows[]) => void,
): Promise<RowGroups | undefined> {
  const { resolver } = parts
  const gathering = createRowGroups(parts)
  for (const [slice, before] of slicesOf(parts)) {
    const read = gathering.read(slice, before)
    // A very long row may take long to read and to draft, so both are separate turns.
    if (slice[0]!.text.length > SLICE.length) await yieldToEventLoop()
    const ids = resolver.direct(changesOf(read))
    if (!ids) return undefined
    ahead(gathering.add(read, ids))
    await yieldToEventLoop()
  }
  return gathering
}

/** Reads a batch and searches for its products. */
export async function groupRows(parts: GroupRowsOptions): Promise<RowGroups> {
  const { resolver } = parts
  const gathering = createRowGroups(parts)
  const read: ReadRow[] = []
  for (const [slice, before] of slicesOf(parts)) {
    read.push(...gathering.read(slice, before))
    await yieldToEventLoop()
  }
  gathering.add(read, await resolver.resolve(changesOf(read)))
  return gathering
}

/** The slices of a batch, each with the number of rows before it. */
function* slicesOf({ batch, before }: Pick<GroupRowsOptions, 'batch' | 'before'>) {
  for (let from = 0; from < batch.length; ) {
    let to = from
    for (let length = 0; to < batch.length && to - from < SLICE.rows && length < SLICE.length; ) {
      length += batch[to++]!.text.length
    }
    yield [batch.slice(from, to), before + from] as const
    from = to
  }
}

type RowGroups = ReturnType<typeof createRowGroups>

/** Groups the rows of a batch by product. `offered` are products with an offer of `vendor`. */
function createRowGroups({ rows: { read }, vendor }: Pick<GroupRowsOptions, 'rows' | 'vendor'>) {
  const byId = new Map<string, ProductRows>()
  const groups: ProductRows[] = []
  const unread: RejectedRow[] = []
  const offered = new Set<string>()
  let belowZero = 0
  return {
    groups,
    unread,
    offered,
    /** Number of rows with a negative stock, which is stored as 0. */
    belowZero: () => belowZero,
    read(batch: readonly RawRow[], before: number): ReadRow[] {
      const done: ReadRow[] = []
      for (const [at, row] of batch.entries()) {
        const change = attempt(read, row)
        if (change === undefined) continue
        if (change instanceof BadRow) {
          unread.push({ row, reason: change.message })
          continue
        }
        if (change.wasBelowZero) belowZero++
        done.push({ row, change, number: before + at + 1 })
      }
      return done
    },
    /** Returns the products that no earlier row named. */
    add(rows: readonly ReadRow[], ids: readonly (string | BadRow)[]): readonly ProductRows[] {
      const before = groups.length
      for (const [at, one] of rows.entries()) {
        const id = ids[at]!
        if (id instanceof BadRow) {
          unread.push({ row: one.row, reason: id.message })
          continue
        }
        if (vendor !== undefined && offers(one.change, vendor)) offered.add(id)
        const known = byId.get(id)
        if (known) known.add(one)
        else {
          const group = new ProductRows(id, read, one)
          byId.set(id, group)
          groups.push(group)
        }
      }
      return groups.slice(before)
    },
  }
}

const changesOf = (rows: readonly ReadRow[]): RowChange[] => rows.map(({ change }) => change)

const offers = ({ action, offers }: RowChange, vendor: string): boolean =>
  action !== 'withdraw' &&
  action !== 'delete' &&
  offers.some(({ vendorName }) => vendorName === vendor)

/** Reads a row; undefined for one that is not a product. */
function attempt(read: FileRows['read'], row: RawRow): RowChange | BadRow | undefined {
  if (row.problem !== undefined) return new BadRow(row.problem)
  try {
    return read(row)
  } catch (error) {
    if (error === PASSED_OVER) return undefined
    if (error instanceof BadRow) return error
    throw error
  }
}
