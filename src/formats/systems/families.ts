import { limits } from '../../limits.ts'
import { BloomFilter } from '../../platform/bloom-filter.ts'
import { cut, detachedText } from '../../text.ts'
import { BadRow } from '../rows/mapped-row.ts'
import type { RawRow } from '../rows/raw-row.ts'
import {
  type FamiliesOf,
  type Gatherer,
  idOf,
  type Line,
  type MakeRow,
  memoryOf,
  type RowProblem,
  rowMaker,
  withInherited,
  writeFamilyText,
} from './family-rows.ts'
import { apart } from './heads.ts'
import { type Layout, valuesOf } from './layout.ts'
import type { RowTexts } from './system.ts'

export interface FamilyRows {
  readonly layout: Layout
  cellsOf(row: RawRow): readonly string[]
  /** The values of the cells by name. Throws BadRow if they do not match the headings. */
  said(row: RawRow, cells: readonly string[]): RowTexts
  lost(kind: RowProblem, rows?: number): void
}

/**
 * Assembles the rows of products that take several rows, one per variant. Yields one at a time,
 * since thousands may each repeat the first row's values.
 */
export async function* familyRows(
  batches: AsyncIterable<readonly RawRow[]>,
  reading: FamilyRows,
): AsyncGenerator<readonly RawRow[]> {
  const gather = gathererOf(reading)
  for await (const batch of batches) {
    for (const row of batch) {
      const cells = reading.cellsOf(row)
      const said = attempt(() => {
        if (row.problem !== undefined) throw new BadRow(row.problem)
        return reading.said(row, cells)
      })
      if (said instanceof BadRow) {
        // In the form of other rows, so that its cells can be listed.
        yield [
          { line: row.line, problem: said.message, text: writeFamilyText(cells, { values: [] }) },
        ]
        continue
      }
      const role = reading.layout.system.roleOf?.(said) ?? 'product'
      if (role === 'nothing') reading.lost('nothing')
      else {
        const length = row.size ?? row.text.length
        for (const made of gather.add({ line: row.line, cells, said, length }, role)) yield [made]
      }
    }
  }
  for (const made of gather.end()) yield [made]
}

function attempt<T>(read: () => T): T | BadRow {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadRow) return error
    throw error
  }
}

function gathererOf({ layout, lost }: FamilyRows): Gatherer {
  const families = layout.system.families!
  const parts = { lost, make: rowMaker(layout, lost) }
  if (families.stand === 'together') return together(families, parts)
  return families.stand === 'apart'
    ? apart(layout, families, parts)
    : listed(layout, families, parts)
}

/**
 * Maximum number of variants, of their characters, and of bytes of memory besides these, gathered
 * for a family. Earlier ones lack pictures of later ones.
 */
const TOGETHER = { rows: 5_000, length: 8 * 1024 * 1024, memory: 64 * 1024 * 1024 }

function together(
  { begins, pictures, own }: FamiliesOf<'together'>,
  { make }: { make: MakeRow },
): Gatherer {
  let first: Line | undefined
  let hasVariants = false
  let waiting: Line[] = []
  let length = 0
  let memory = 0
  const urls = new Set<string>()

  function* written(): Generator<RawRow> {
    const shared = { head: first!.said, pictures: [...urls] }
    for (const line of waiting) {
      yield make({ ...line, said: withInherited(line.said, shared.head, own) }, shared)
    }
    waiting = []
    length = 0
    memory = 0
  }

  function* done(): Generator<RawRow> {
    // A family without variants is a product.
    if (first && !hasVariants) waiting.push(first)
    if (first) yield* written()
    first = undefined
    hasVariants = false
    urls.clear()
  }

  return {
    *add(line, role) {
      if (first && begins(line.said, first.said)) yield* done()
      first ??= line
      for (const url of pictures.map((name) => line.said[name] ?? '')) {
        const isPicture = url !== '' && url.length <= limits.valueLength
        if (isPicture && urls.size <= limits.productListEntries) urls.add(detachedText(url))
      }
      if (role !== 'variant' && role !== 'product') return
      hasVariants = true
      waiting.push(line)
      length += line.length
      memory += memoryOf(line.said, line.cells)
      const isFull = length >= TOGETHER.length || memory >= TOGETHER.memory
      if (isFull || waiting.length >= TOGETHER.rows) yield* written()
    },
    end: done,
  }
}

/** Maximum number of characters per cell if the row is longer than SHOWN. */
const SHORT = 100
/** Maximum number of characters of a row that is listed with each of its variants. */
const SHOWN = 32 * 1024

function listed(
  layout: Layout,
  { listed: listOf }: FamiliesOf<'listed'>,
  { lost, make }: { lost: (kind: RowProblem, rows: number) => void; make: MakeRow },
): Gatherer {
  const [named, found] = [new BloomFilter(), new BloomFilter()]
  return {
    *add(line, role) {
      const variants = role === 'head' ? listOf(line.said) : []
      if (variants.length > TOGETHER.rows) {
        const problem = `lists more than ${TOGETHER.rows} variants`
        yield { line: line.line, problem, text: writeFamilyText(line.cells, { values: [] }) }
        return
      }
      const cells = line.length > SHOWN ? line.cells.map((cell) => cut(cell, SHORT)) : line.cells
      if (variants.length === 0) {
        found.add(idOf(valuesOf(layout, line.said)))
        yield make(line)
      }
      for (const values of variants) {
        named.add(idOf(values))
        yield { line: line.line, text: writeFamilyText(cells, values) }
      }
    },
    end() {
      lost('missing', named.countMissingIn(found))
      return []
    },
  }
}
