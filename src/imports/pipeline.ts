import type { Flight } from './flight.ts'
import type { Listed } from './full-file/listed.ts'
import type { ImportRows } from './import-rows.ts'
import type { RawRow } from './reading/raw-row.ts'
import type { Rejects } from './rejects.ts'
import type { RowChange } from './rows/change.ts'
import { BadRow } from './rows/csv-row.ts'
import { type RejectedRow, type Tally, tallyOf } from './tally.ts'
import { createGroup, type Group, type OpenGroup } from './writing/draft.ts'
import type { Naming, Resolver } from './writing/resolver.ts'
import type { BatchWriter } from './writing/writer.ts'

/** What a batch did; reported in the order of the file. */
export interface Committed extends Tally {
  /** Rejected rows of which nobody knows the product. */
  readonly unknown: number
  /** Rows of the file up to the end of the batch. */
  readonly rows: number
  readonly position: number
  readonly naming: Naming
}

export interface PipelineParts {
  readonly rows: ImportRows
  readonly flight: Flight
  readonly writer: BatchWriter
  readonly resolver: Resolver
  readonly rejects: Rejects
  /** Of a full file: which products have an offer of its vendor. */
  readonly full?: FullFile | undefined
  /** Rows that an earlier run dealt with. */
  readonly skip: number
  readonly isCancelled: () => boolean
  /** Asked before each batch; throws to end the import. */
  readonly check: () => Promise<void>
  readonly commit: (done: Committed) => void
}

/** A file that has all offers of a vendor. */
export interface FullFile {
  readonly vendor: string
  readonly listed: Listed
}

/** Reads, resolves, writes and commits the rows. Returns early when told to give way. */
export async function runPipeline(parts: PipelineParts): Promise<void> {
  const { rows, flight, writer, resolver, rejects, full, skip } = parts
  const { isCancelled, check, commit } = parts
  let seen = 0
  for await (const batch of rows.batches) {
    const fresh = batch.slice(Math.max(0, skip - seen))
    const before = seen + batch.length - fresh.length
    seen += batch.length
    if (isCancelled()) break
    if (fresh.length === 0) continue
    await check()
    const { groups, unread, offered } = await prepare(parts, fresh, before)
    const ids = groups.map(({ id }) => id)
    await flight.room(ids)
    const at = writer.nextTime()
    const upTo = { rows: seen, position: rows.position(), naming: resolver.naming }
    flight.launch(ids, writer.write(groups, at), async (outcomes) => {
      const tally = tallyOf(outcomes, unread)
      await rejects.add(
        tally.rejected.map(({ row, reason }) => ({
          line: row.line,
          original: rows.original(row),
          reason,
        })),
      )
      await full?.listed.add(offered)
      commit({ ...tally, ...upTo, unknown: unread.length })
    })
  }
  await flight.landed()
}

interface Prepared {
  readonly groups: readonly Group[]
  readonly unread: readonly RejectedRow[]
  /** Products of rows with an offer of the full file's vendor. */
  readonly offered: ReadonlySet<string>
}

/** The rows of a batch, which begins after `before` rows, by the product that each is about. */
async function prepare(
  { rows, resolver, full }: PipelineParts,
  batch: readonly RawRow[],
  before: number,
): Promise<Prepared> {
  const unread: RejectedRow[] = []
  const read: { readonly row: RawRow; readonly number: number }[] = []
  const changes: RowChange[] = []
  for (const [at, row] of batch.entries()) {
    const change = row.problem === undefined ? attempt(rows, row) : new BadRow(row.problem)
    if (change instanceof BadRow) {
      unread.push({ row, reason: change.message })
    } else {
      read.push({ row, number: before + at + 1 })
      changes.push(change)
    }
  }
  const ids = await resolver.resolve(changes)
  const groups = new Map<string, OpenGroup>()
  const offered = new Set<string>()
  for (const [at, { row, number }] of read.entries()) {
    const id = ids[at]!
    if (id instanceof BadRow) {
      unread.push({ row, reason: id.message })
      continue
    }
    const group = groups.get(id) ?? createGroup(id, rows.read)
    groups.set(id, group)
    const change = changes[at]!
    if (full && offers(change, full.vendor)) offered.add(id)
    group.add(row, change, number)
  }
  return { groups: [...groups.values()], unread, offered }
}

const offers = ({ action, offers }: RowChange, vendor: string): boolean =>
  action !== 'withdraw' && offers.some(({ vendorName }) => vendorName === vendor)

function attempt(rows: ImportRows, row: RawRow): RowChange | BadRow {
  try {
    return rows.read(row)
  } catch (error) {
    if (error instanceof BadRow) return error
    throw error
  }
}
