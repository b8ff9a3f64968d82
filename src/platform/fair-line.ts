/**
 * Start-time fair queueing: work that begins moves the next turn of each part that it is of back by its
 * cost. Work has a path, from an owner to a part of it: owners have turns, and in theirs their parts.
 */
export class FairLine<W extends { readonly cost: number }> {
  readonly #parts = new Map<string, FairLine<W>>()
  readonly #own: W[] = []
  #length = 0
  /** Virtual start time of its next work. */
  #turn = 0
  /** Virtual time: the start of the work of a part that began last. */
  #now = 0

  /** How much work of a part waits. */
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

  /** The first that `mayBegin`, which is told of the first of each part. */
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

  /** Work of a part begins, which waits there until now, or need not wait. */
  begin([name, ...rest]: readonly string[], cost: number): void {
    if (name === undefined) return
    const part = this.#part(name)
    this.#now = Math.max(this.#now, part.#turn)
    part.#turn += cost
    part.begin(rest, cost)
  }

  /** Takes out what begins or gives up. */
  remove([name, ...rest]: readonly string[], work: W): void {
    if (name === undefined) this.#own.splice(this.#own.indexOf(work), 1)
    else this.#parts.get(name)!.remove(rest, work)
    this.#length--
  }

  /** Forgets a part in which nothing waits. */
  forget(name: string): void {
    this.#parts.delete(name)
  }

  /** Its turn comes no earlier than now, unless it waits already. */
  #part(name: string): FairLine<W> {
    const part = this.#parts.get(name) ?? new FairLine<W>()
    this.#parts.set(name, part)
    if (part.#length === 0) part.#turn = Math.max(part.#turn, this.#now)
    return part
  }
}
