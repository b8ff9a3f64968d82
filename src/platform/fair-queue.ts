/** Number of parts that are kept in any case. */
const MANY = 64

/**
 * Start-time fair queueing: work that begins delays the next turn of each of its parts by its cost.
 * Work has a path, from an owner to a part of it: owners take turns, and share theirs among their
 * parts.
 */
export class FairQueue<W extends { readonly cost: number }> {
  readonly #parts = new Map<string, FairQueue<W>>()
  readonly #own: W[] = []
  #length = 0
  /** Virtual start time of this part's next work. */
  #turn = 0
  /** Virtual time: the start time of the part whose work began last. */
  #now = 0
  /** Number of parts from which those in which nothing waits are forgotten. */
  #many = MANY

  /** The number of pieces of work that wait in a part. */
  lengthOf([name, ...rest]: readonly string[]): number {
    if (name === undefined) return this.#length
    return this.#parts.get(name)?.lengthOf(rest) ?? 0
  }

  add(path: readonly string[], work: W): void {
    const [name, ...rest] = path
    if (name === undefined) this.#own.push(work)
    else this.#part(name).add(rest, work)
    this.#length++
  }

  /** The first work that `mayBegin` allows, which is called with the first work of each part. */
  first(mayBegin: (name: string, work: W) => boolean = () => true): W | undefined {
    let turn = Number.POSITIVE_INFINITY
    let first = this.#own[0]
    for (const [name, part] of this.#parts) {
      if (part.#length === 0 || part.#turn >= turn) continue
      const work = part.first()!
      if (mayBegin(name, work)) [turn, first] = [part.#turn, work]
    }
    return first
  }

  /** Notes that work of a part begins, whether or not it waited there. */
  begin([name, ...rest]: readonly string[], cost: number): void {
    if (name === undefined) return
    const part = this.#part(name)
    this.#now = Math.max(this.#now, part.#turn)
    part.#turn += cost
    part.begin(rest, cost)
  }

  /** Removes work that begins or is given up. */
  remove([name, ...rest]: readonly string[], work: W): void {
    if (name === undefined) this.#own.splice(this.#own.indexOf(work), 1)
    else this.#parts.get(name)!.remove(rest, work)
    this.#length--
  }

  /** Forgets a part in which nothing waits. */
  forget(name: string): void {
    this.#parts.delete(name)
  }

  /**
   * The part of this name, created if needed. Its turn is not before now, unless work waits in it.
   */
  #part(name: string): FairQueue<W> {
    const part = this.#parts.get(name) ?? this.#newPart(name)
    if (part.#length === 0) part.#turn = Math.max(part.#turn, this.#now)
    return part
  }

  #newPart(name: string): FairQueue<W> {
    if (this.#parts.size >= this.#many) {
      // A part that is forgotten may begin one piece of work early.
      for (const [other, part] of this.#parts) if (part.#length === 0) this.#parts.delete(other)
      this.#many = Math.max(MANY, 2 * this.#parts.size)
    }
    const part = new FairQueue<W>()
    this.#parts.set(name, part)
    return part
  }
}
