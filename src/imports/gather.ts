import { setImmediate as breathe } from 'node:timers/promises'
import type { FileRows } from '../formats/format.ts'
import type { RowChange } from '../formats/rows/change.ts'
import { BadRow } from '../formats/rows/mapped-row.ts'
import type { RawRow } from '../formats/rows/raw-row.ts'
import type { RejectedRow } from './tally.ts'
import { Group, type ReadRow } from './writing/group.ts'
import type { Resolver } from './writing/resolver.ts'

/** The rows of a batch by the product that each is about. */
export interface Gathered {
  readonly groups: readonly Group[]
  readonly unread: readonly RejectedRow[]
  /** Products of rows with an offer of `vendor`. */
  readonly offered: ReadonlySet<string>
}

export interface GatherParts {
  /** Whose offers are listed, of a full file. */
  readonly vendor?: string | undefined
  readonly rows: Pick<FileRows, 'read'>
  readonly resolver: Resolver
  readonly batch: readonly RawRow[]
  /** Rows of the file before the batch. */
  readonly before: number
}

/** Rows read in one go: what they make is gone before it would have to be kept. */
const SLICE = 25

/**
 * Reads a batch piece by piece and hands on the products that each piece names first; a later piece
 * may add rows to them. Undefined when products must be searched for: for a whole batch at once.
 */
export async function gatherDirectly(
  parts: GatherParts,
  ahead: (groups: readonly Group[]) => void,
): Promise<Gathered | undefined> {
  const { batch, before, resolver } = parts
  const gathering = createGathering(parts)
  for (let at = 0; at < batch.length; at += SLICE) {
    const read = gathering.read(batch.slice(at, at + SLICE), before + at)
    const ids = resolver.direct(changesOf(read))
    if (!ids) return undefined
    ahead(gathering.add(read, ids))
    await breathe()
  }
  return gathering
}

/** Reads a batch, and searches for its products. */
export async function gather(parts: GatherParts): Promise<Gathered> {
  const { resolver, batch, before } = parts
  const gathering = createGathering(parts)
  const read = gathering.read(batch, before)
  gathering.add(read, await resolver.resolve(changesOf(read)))
  return gathering
}

function createGathering({ rows: { read }, vendor }: Pick<GatherParts, 'rows' | 'vendor'>) {
  const byId = new Map<string, Group>()
  const groups: Group[] = []
  const unread: RejectedRow[] = []
  const offered = new Set<string>()
  return {
    groups,
    unread,
    offered,
    read(batch: readonly RawRow[], before: number): ReadRow[] {
      const done: ReadRow[] = []
      for (const [at, row] of batch.entries()) {
        const change = attempt(read, row)
        if (change instanceof BadRow) {
          unread.push({ row, reason: change.message })
          continue
        }
        done.push({ row, change, number: before + at + 1 })
      }
      return done
    },
    /** Answers the products that no row before named. */
    add(rows: readonly ReadRow[], ids: readonly (string | BadRow)[]): readonly Group[] {
      const before = groups.length
      for (const [at, one] of rows.entries()) {
        const id = ids[at]!
        if (id instanceof BadRow) {
          unread.push({ row: one.row, reason: id.message })
          continue
        }
        if (vendor !== undefined && offers(one.change, vendor)) offered.add(id)
        const known = byId.get(id)
        if (known) {
          known.add(one)
          continue
        }
        const group = new Group(id, read, one)
        byId.set(id, group)
        groups.push(group)
      }
      return groups.slice(before)
    },
  }
}

const changesOf = (rows: readonly ReadRow[]): RowChange[] => rows.map(({ change }) => change)

const offers = ({ action, offers }: RowChange, vendor: string): boolean =>
  action !== 'withdraw' && offers.some(({ vendorName }) => vendorName === vendor)

function attempt(read: FileRows['read'], row: RawRow): RowChange | BadRow {
  if (row.problem !== undefined) return new BadRow(row.problem)
  try {
    return read(row)
  } catch (error) {
    if (error instanceof BadRow) return error
    throw error
  }
}
