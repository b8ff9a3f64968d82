import { limits } from '../../limits.ts'
import { cut } from '../../text.ts'
import { BadRow } from '../rows/mapped-row.ts'
import type { RowValues } from '../rows/named-values.ts'
import type { RawRow, RowText } from '../rows/raw-row.ts'
import { type Layout, valuesOf } from './layout.ts'
import type { Families, Role, Said } from './system.ts'

/** A row of a product as text: its cells, and the values of the product that it becomes. */
interface FamilyText {
  readonly cells: readonly string[]
  readonly values: RowValues
}

export const familyText = ({ text }: RowText): FamilyText => JSON.parse(text) as FamilyText

/** A row of the file, read. */
interface Line {
  readonly line: number
  readonly cells: readonly string[]
  readonly said: Said
  readonly length: number
}

export interface FamilyRows {
  readonly layout: Layout
  cellsOf(row: RawRow): readonly string[]
  /** What they say; throws BadRow when they are not what the headings say. */
  said(row: RawRow, cells: readonly string[]): Said
  /** Told of rows whose head was not there before them, and of those that are none of a product. */
  lost(kind: 'orphan' | 'nothing'): void
}

/** The rows of a file whose products are several rows, one for each variant. One at a time: thousands may each carry what the first says. */
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
        // In the shape of the others, so that its cells can be listed.
        yield [{ line: row.line, problem: said.message, text: textOf(cells, { values: [] }) }]
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

const textOf = (cells: readonly string[], values: RowValues): string =>
  JSON.stringify({ cells, values } satisfies FamilyText)

function attempt<T>(read: () => T): T | BadRow {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadRow) return error
    throw error
  }
}

interface Gatherer {
  /** The rows that are whole with this one. */
  add(line: Line, role: Role): Iterable<RawRow>
  end(): Iterable<RawRow>
}

function gathererOf({ layout, lost }: FamilyRows): Gatherer {
  const families = layout.system.families!
  if (families.stand === 'together') return together(layout, families)
  return families.stand === 'apart' ? apart(layout, families, lost) : listed(layout, families)
}

type Family<S> = Extract<Families, { stand: S }>

const rowOf = (
  layout: Layout,
  { line, cells, said }: Line,
  more: Parameters<typeof valuesOf>[2],
) => ({
  line,
  text: textOf(cells, valuesOf(layout, said, more)),
})

/** What a row says, and where it says nothing what its head does. */
function carried(said: Said, head: Said, own: RegExp): Said {
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), said)
  for (const name in head) if (all[name] === undefined && !own.test(name)) all[name] = head[name]
  return all
}

/** Rows of a family, and their characters, that are put together; pictures of later ones are not seen. */
const TOGETHER = { rows: 5_000, length: 8 * 1024 * 1024 }

function together(layout: Layout, { begins, pictures, own }: Family<'together'>): Gatherer {
  let waiting: { readonly line: Line; readonly role: Role }[] = []
  let length = 0

  function* done(): Generator<RawRow> {
    const [first] = waiting
    if (!first) return
    const head = first.line.said
    const urls = waiting.flatMap(({ line: { said } }) => pictures.map((name) => said[name] ?? ''))
    const shared = {
      head,
      pictures: [...new Set(urls)].filter((url) => url !== '' && url.length <= limits.valueLength),
    }
    const variants = waiting.filter(({ role }) => role === 'variant' || role === 'product')
    // A family without a variant is a product all the same.
    for (const { line } of variants.length > 0 ? variants : [first]) {
      yield rowOf(layout, { ...line, said: carried(line.said, head, own) }, shared)
    }
    waiting = []
    length = 0
  }

  return {
    *add(line, role) {
      const [first] = waiting
      const isNext = first !== undefined && begins(line.said, first.line.said)
      if (isNext || waiting.length >= TOGETHER.rows || length >= TOGETHER.length) yield* done()
      waiting.push({ line, role })
      length += line.length
    },
    end: done,
  }
}

/** Heads, and their characters, that wait for their variants. */
const HEADS = { rows: 20_000, length: 8 * 1024 * 1024 }

interface Head {
  readonly line: Line
  hasVariants: boolean
}

function apart(
  layout: Layout,
  { namesOf, headOf, own }: Family<'apart'>,
  lost: FamilyRows['lost'],
): Gatherer {
  const byName = new Map<string, Head>()
  const heads = new Set<Head>()
  // A row without a name is nobody's head.
  const names = (said: Said) => namesOf(said).filter((name) => name !== '')
  let length = 0

  function* letGo(head: Head): Generator<RawRow> {
    heads.delete(head)
    length -= head.line.length
    for (const name of names(head.line.said)) {
      if (byName.get(name) === head) byName.delete(name)
    }
    if (!head.hasVariants) yield rowOf(layout, head.line, {})
  }

  return {
    *add(line, role) {
      if (role === 'head') {
        const head = { line, hasVariants: false }
        heads.add(head)
        length += line.length
        for (const name of names(line.said)) byName.set(name, head)
        for (const oldest of heads) {
          if (heads.size <= HEADS.rows && length <= HEADS.length) return
          yield* letGo(oldest)
        }
        return
      }
      const head = role === 'variant' ? byName.get(headOf(line.said)) : undefined
      if (role === 'variant' && !head) lost('orphan')
      if (head) head.hasVariants = true
      const said = head ? carried(line.said, head.line.said, own) : line.said
      yield rowOf(layout, { ...line, said }, { head: head?.line.said })
    },
    *end() {
      for (const head of heads) yield* letGo(head)
    },
  }
}

/** Characters of a cell of a longer row that are shown. */
const SHORT = 100
/** Characters of a row that are shown with each variant that it lists. */
const SHOWN = 32 * 1024

function listed(layout: Layout, { listed: listOf }: Family<'listed'>): Gatherer {
  return {
    *add(line, role) {
      const variants = role === 'head' ? listOf(line.said) : []
      if (variants.length > TOGETHER.rows) {
        const problem = `lists more than ${TOGETHER.rows} variants`
        yield { line: line.line, problem, text: textOf(line.cells, { values: [] }) }
        return
      }
      const cells = line.length > SHOWN ? line.cells.map((cell) => cut(cell, SHORT)) : line.cells
      if (variants.length === 0) yield rowOf(layout, line, {})
      for (const values of variants) yield { line: line.line, text: textOf(cells, values) }
    },
    end: () => [],
  }
}
