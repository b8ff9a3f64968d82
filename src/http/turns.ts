/** Resolves when a request of this owner may begin. */
export type TakeTurn = (owner: string) => Promise<void>

/**
 * Lets one request of each owner begin in a turn of the event loop, the others in the next turns.
 * Work that waits for Elasticsearch takes several turns, so many small requests of one owner, each
 * too small to rest after, would otherwise delay each step of the work of others.
 */
export function createTurns(): TakeTurn {
  const lines = new Map<string, (() => void)[]>()

  function nextTurn(): void {
    for (const [owner, line] of lines) {
      const begin = line.shift()
      if (begin) begin()
      else lines.delete(owner)
    }
    if (lines.size > 0) setImmediate(nextTurn)
  }

  return (owner) => {
    const line = lines.get(owner)
    if (line) return new Promise((resolve) => line.push(resolve))
    if (lines.size === 0) setImmediate(nextTurn)
    lines.set(owner, [])
    return Promise.resolve()
  }
}
