import { limits } from '../../limits.ts'
import { cut, detachedText } from '../../text.ts'
import { htmlAsText } from '../rows/html-text.ts'
import type { RawRow } from '../rows/raw-row.ts'
import {
  type FamiliesOf,
  type Gatherer,
  type Line,
  type MakeRow,
  memoryOf,
  type RowProblem,
  withInherited,
} from './family-rows.ts'
import type { Layout } from './layout.ts'
import type { RowTexts } from './system.ts'

/**
 * Maximum number of heads, of their characters, and of bytes of memory besides these, that wait for
 * variants before they become products.
 */
const WAITING = { rows: 20_000, length: 16 * 1024 * 1024, memory: 64 * 1024 * 1024 }
/** The same for earlier heads, of which only the values for their variants are kept. */
const PASSED = { ...WAITING, rows: 100_000 }

interface Head {
  said: RowTexts
  length: number
  memory: number
  /** The head's row, while it waits. */
  line: Line | undefined
  hasVariants: boolean
}

/** Heads in order of appearance, limited in number and size. */
function createHeadQueue(most: typeof WAITING) {
  const heads = new Set<Head>()
  let length = 0
  let memory = 0
  const remove = (head: Head): void => {
    heads.delete(head)
    length -= head.length
    memory -= head.memory
  }
  return {
    heads,
    add(head: Head): void {
      heads.add(head)
      length += head.length
      memory += head.memory
    },
    /** Removes the oldest heads beyond the limits. */
    *evicted(): Generator<Head> {
      for (const oldest of heads) {
        if (heads.size <= most.rows && length <= most.length && memory <= most.memory) return
        remove(oldest)
        yield oldest
      }
    },
  }
}

/**
 * The values that variants inherit, with the description shortened as in products. Detached because
 * they are kept much longer than their row.
 */
function shortened({ fields }: Layout, said: RowTexts): RowTexts {
  const prose = new Set(fields.flatMap(([name, field]) => (field === 'description' ? [name] : [])))
  const short: Record<string, string> = Object.create(null)
  for (const [name, text] of Object.entries(said)) {
    if (!text) continue
    short[name] = detachedText(prose.has(name) ? cut(htmlAsText(text), limits.valueLength) : text)
  }
  return short
}

const lengthOf = (said: RowTexts): number =>
  Object.values(said).reduce((sum, text = '') => sum + text.length, 0)

/** Gathers variants that name a head before them. */
export function apart(
  layout: Layout,
  { namesOf, headOf, own }: FamiliesOf<'apart'>,
  { lost, make }: { lost: (kind: RowProblem) => void; make: MakeRow },
): Gatherer {
  const byName = new Map<string, Head>()
  const waiting = createHeadQueue(WAITING)
  const passed = createHeadQueue(PASSED)
  // A row without a name cannot be a head.
  const names = (said: RowTexts) =>
    namesOf(said).flatMap((name) => (name === '' ? [] : [detachedText(name)]))

  function forget(head: Head): void {
    for (const name of names(head.said)) if (byName.get(name) === head) byName.delete(name)
  }

  function* release(head: Head): Generator<RawRow> {
    if (!head.hasVariants) yield make(head.line!)
    head.line = undefined
    head.said = shortened(layout, head.said)
    head.length = lengthOf(head.said)
    head.memory = memoryOf(head.said)
    passed.add(head)
    for (const oldest of passed.evicted()) forget(oldest)
  }

  return {
    *add(line, role) {
      if (role === 'head') {
        const { said, length } = line
        const memory = memoryOf(said, line.cells)
        const head: Head = { line, said, length, memory, hasVariants: false }
        waiting.add(head)
        for (const name of names(line.said)) byName.set(name, head)
        for (const oldest of waiting.evicted()) yield* release(oldest)
        return
      }
      const head = role === 'variant' ? byName.get(headOf(line.said)) : undefined
      if (role === 'variant' && !head) lost('orphan')
      if (head) {
        if (!head.line && !head.hasVariants) lost('late')
        head.hasVariants = true
      }
      const said = head ? withInherited(line.said, head.said, own) : line.said
      yield make({ ...line, said }, { head: head?.said })
    },
    *end() {
      for (const { line, hasVariants } of waiting.heads) {
        if (!hasVariants) yield make(line!)
      }
    },
  }
}
