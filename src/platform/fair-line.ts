/** Work of one owner that waits, in turn by the part of the owner that it is of. */
export interface FairLine<W extends { readonly cost: number }> {
  readonly length: number
  lengthOf(part: string): number
  add(part: string, work: W): void
  /** Work that begins without waiting: it moves the turn of its part back as well. */
  pass(part: string, cost: number): void
  first(): W | undefined
  /** Takes out the first. */
  shift(): void
  /** Takes out what gives up. */
  remove(part: string, work: W): void
}

interface LinePart<W> {
  readonly line: W[]
  /** Virtual start time of its next work. */
  turn: number
}

/** Start-time fair queueing: work moves the next turn of its part back by its cost. */
export function createFairLine<W extends { readonly cost: number }>(): FairLine<W> {
  const parts = new Map<string, LinePart<W>>()
  /** Virtual time: the start of the work that began last. */
  let now = 0
  let length = 0

  function partOf(name: string): LinePart<W> {
    const part = parts.get(name) ?? { line: [], turn: now }
    parts.set(name, part)
    if (part.line.length === 0) part.turn = Math.max(part.turn, now)
    return part
  }

  function begin(part: LinePart<W>, cost: number): void {
    now = Math.max(now, part.turn)
    part.turn += cost
  }

  function next(): LinePart<W> | undefined {
    let first: LinePart<W> | undefined
    for (const part of parts.values()) {
      if (part.line.length > 0 && (!first || part.turn < first.turn)) first = part
    }
    return first
  }

  return {
    get length() {
      return length
    },
    lengthOf: (name) => parts.get(name)?.line.length ?? 0,
    add(name, work) {
      partOf(name).line.push(work)
      length++
    },
    pass: (name, cost) => begin(partOf(name), cost),
    first: () => next()?.line[0],
    shift() {
      const part = next()!
      begin(part, part.line.shift()!.cost)
      length--
    },
    remove(name, work) {
      const { line } = partOf(name)
      line.splice(line.indexOf(work), 1)
      length--
    },
  }
}
