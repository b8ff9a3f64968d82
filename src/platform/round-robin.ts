/** Orders items so that their owners take turns. The items of an owner keep their order. */
export function roundRobin<T>(items: readonly T[], ownerOf: (item: T) => string): T[] {
  const counts = new Map<string, number>()
  const turns = items.map((item) => {
    const owner = ownerOf(item)
    const turn = counts.get(owner) ?? 0
    counts.set(owner, turn + 1)
    return { item, turn }
  })
  return turns.sort((a, b) => a.turn - b.turn).map(({ item }) => item)
}
