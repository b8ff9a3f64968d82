import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { BadRow } from '../formats/rows/mapped-row.ts'
import type { RowChange } from '../formats/rows/row-change.ts'
import type { FileBatch, FileRow, RejectedRow } from '../formats/worker/messages.ts'
import { ProductRows, type ReadRow } from './writing/product-rows.ts'
import type { Resolver } from './writing/resolver.ts'

export interface GroupRowsOptions extends Pick<FileBatch, 'rows' | 'before'> {
  /** The vendor of a full file. */
  readonly vendor?: string | undefined
  readonly resolver: Resolver
}

/** Rows and characters per slice, small enough that its objects are collected young. */
const SLICE = { rows: 25, length: 32 * 1024 }

/**
 * Groups a batch in slices and passes the new products of each slice to `ahead`. Later slices may
 * add rows to them. Undefined when products must be searched for, which needs the whole batch.
 */
export async function groupRowsDirectly(
  parts: GroupRowsOptions,
  ahead: (groups: readonly ProductRows[]) => Promise<void>,
): Promise<RowGroups | undefined> {
  const { resolver } = parts
  const gathering = createRowGroups(parts)
  for (const [slice, before] of slicesOf(parts)) {
    const read = gathering.sort(slice, before)
    const ids = resolver.direct(changesOf(read))
    if (!ids) return undefined
    await ahead(gathering.add(read, ids))
    for (const row of read) row.forgetChange()
    await yieldToEventLoop()
  }
  return gathering
}

/** Groups a batch, and searches for its products. */
export async function groupRows(parts: GroupRowsOptions): Promise<RowGroups> {
  const { resolver, rows, before } = parts
  const gathering = createRowGroups(parts)
  const read = gathering.sort(rows, before)
  gathering.add(read, await resolver.resolve(changesOf(read)))
  for (const row of read) row.forgetChange()
  return gathering
}

/** The slices of a batch, each with the number of rows before it. */
function* slicesOf({ rows, before }: Pick<GroupRowsOptions, 'rows' | 'before'>) {
  for (let from = 0; from < rows.length; ) {
    let to = from
    for (let length = 0; to < rows.length && to - from < SLICE.rows && length < SLICE.length; ) {
      length += rows[to++]!.length
    }
    yield [rows.slice(from, to), before + from] as const
    from = to
  }
}

type RowGroups = ReturnType<typeof createRowGroups>

/** Groups the rows of a batch by product. `offered` are products with an offer of `vendor`. */
function createRowGroups({ vendor }: Pick<GroupRowsOptions, 'vendor'>) {
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
    /** The rows that change a product; the others are noted as rejected, or are none. */
    sort(rows: readonly FileRow[], before: number): WaitingRow[] {
      const done: WaitingRow[] = []
      for (const [at, row] of rows.entries()) {
        const number = before + at + 1
        const { read: change } = row
        if (change === undefined) continue
        if (typeof change === 'string') {
          unread.push({ line: row.line, number, reason: change })
          continue
        }
        if (change.wasBelowZero) belowZero++
        done.push(new WaitingRow(row, number, change))
      }
      return done
    },
    /** Returns the products that no earlier row named. */
    add(rows: readonly WaitingRow[], ids: readonly (string | BadRow)[]): readonly ProductRows[] {
      const before = groups.length
      for (const [at, row] of rows.entries()) {
        const id = ids[at]!
        if (id instanceof BadRow) {
          const { line, number } = row
          unread.push({ line, number, reason: id.message })
          continue
        }
        if (vendor !== undefined && offers(row.change, vendor)) offered.add(id)
        const known = byId.get(id)
        if (known) known.rows.push(row)
        else {
          const group = new ProductRows(id, row)
          byId.set(id, group)
          groups.push(group)
        }
      }
      return groups.slice(before)
    },
  }
}

const changesOf = (rows: readonly ReadRow[]): RowChange[] => rows.map(({ change }) => change)

/** A row whose change is read again after it is forgotten: objects of all rows burden the heap. */
class WaitingRow implements ReadRow {
  readonly number: number
  readonly #row: FileRow
  #change: RowChange | undefined

  constructor(row: FileRow, number: number, change: RowChange) {
    this.number = number
    this.#row = row
    this.#change = change
  }

  get line(): number {
    return this.#row.line
  }

  get length(): number {
    return this.#row.length
  }

  get change(): RowChange {
    return this.#change ?? (this.#row.read as RowChange)
  }

  forgetChange(): void {
    this.#change = undefined
  }
}

const offers = ({ action, offers }: RowChange, vendor: string): boolean =>
  action !== 'withdraw' &&
  action !== 'delete' &&
  offers.some(({ vendorName }) => vendorName === vendor)
