import type { OpenFile } from '../formats/format.ts'
import type { Leave } from '../platform/admission.ts'
import type { BatchesInFlight } from './batches-in-flight.ts'
import type { ListedProducts } from './full-file/listed-products.ts'
import { type GroupRowsOptions, groupRows, groupRowsDirectly } from './group-rows.ts'
import type { Rejects } from './rejects.ts'
import { type Tally, tallyOf } from './tally.ts'
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
  readonly rows: OpenFile
  readonly flight: BatchesInFlight
  readonly writer: BatchWriter
  readonly resolver: Resolver
  readonly rejects: Rejects
  /** Of a full file: which products have an offer of its vendor. */
  readonly full?: FullFile | undefined
  /** Rows that an earlier run dealt with. */
  readonly skip: number
  readonly isCancelled: () => boolean
  /** Waits for the place of a batch, which it has until it is written. */
  readonly turn: () => Promise<Leave>
  /** Asked before each batch; throws to end the import. */
  readonly check: () => Promise<void>
  readonly commit: (done: Committed) => void
}

/** A file that has all offers of a vendor. */
interface FullFile {
  readonly vendor: string
  readonly listed: ListedProducts
}

/** Reads, resolves, writes and commits the rows. Returns early when told to give way. */
export async function runPipeline(parts: PipelineParts): Promise<void> {
  const { rows, flight, writer, resolver, rejects, full, skip } = parts
  const { isCancelled, turn, check, commit } = parts
  let seen = 0
  for await (const batch of rows.batches) {
    const fresh = batch.slice(Math.max(0, skip - seen))
    const before = seen + batch.length - fresh.length
    seen += batch.length
    if (isCancelled()) break
    if (fresh.length === 0) continue
    await check()
    await flight.waitForRoom()
    const leave = await turn()
    try {
      const { writing, groups, unread, offered } = await prepare(
        { rows, resolver, vendor: full?.vendor, batch: fresh, before },
        writer,
      )
      const ids = groups.map(({ id }) => id)
      await flight.waitForProducts(ids)
      const upTo = { rows: seen, position: rows.position(), naming: resolver.naming }
      flight.start(ids, writing.write(groups).finally(leave), async (outcomes) => {
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
    } catch (error) {
      leave()
      throw error
    }
  }
  await flight.allCommitted()
}

/** Reads a batch; products that can be written unseen are made ready meanwhile. */
async function prepare(parts: GroupRowsOptions, writer: BatchWriter) {
  const writing = writer.begin()
  const gathered = await groupRowsDirectly(parts, writing.ahead)
  if (gathered) return { writing, ...gathered }
  writing.drop()
  return { writing: writer.begin(), ...(await groupRows(parts)) }
}
