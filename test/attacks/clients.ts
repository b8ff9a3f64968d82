/** Sends one request. */
type Client = () => Promise<Response>

const VALUE = 2_000

export const many = <T>(length: number, of: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => of(at))

/** Attributes of a product with about this many bytes. */
export const attributesOf = (bytes: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.floor(bytes / (VALUE + 20)) }, (_, at) => [
      `attribute ${at}`,
      'x'.repeat(VALUE),
    ]),
  )

export function clients(count: number, send: (turn: number) => Promise<Response>): Client[] {
  let turn = 0
  return Array.from({ length: count }, () => () => send(turn++))
}

/**
 * Lets each client send requests in sequence until `signal` aborts; returns counts of the answers.
 */
export async function answersUnder(all: readonly Client[], signal: AbortSignal): Promise<string> {
  const counts = new Map<string, number>()
  const started = performance.now()
  const count = (outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  await Promise.all(
    all.map(async (send) => {
      while (!signal.aborted) {
        try {
          const answer = await send()
          await answer.arrayBuffer()
          count(String(answer.status))
        } catch {
          count('failed')
        }
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const told = [...counts].toSorted().map(([outcome, times]) => `${times} x ${outcome}`)
  return `${told.join(', ')} in ${seconds.toFixed(0)} s (${Math.round((counts.get('200') ?? 0) / seconds)} a second)`
}
