/** Products of one part, and parts that are written at once: one is made while others are indexed. */
const PART = 250
const AT_ONCE = 3

interface Writer<Group, Outcome> {
  begin(): { write(groups: readonly Group[]): Promise<Map<Group, readonly Outcome[]>> }
}

/** Writes all products, each once; some parts at a time. */
export async function writeProducts<Group, Outcome>(
  writer: Writer<Group, Outcome>,
  groups: readonly Group[],
): Promise<Map<Group, readonly Outcome[]>> {
  const all = new Map<Group, readonly Outcome[]>()
  let next = 0
  const worker = async () => {
    while (next < groups.length) {
      const part = groups.slice(next, next + PART)
      next += PART
      for (const [group, outcomes] of await writer.begin().write(part)) all.set(group, outcomes)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return all
}
