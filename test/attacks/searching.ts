import type { Tenant } from './attack.ts'

interface Searching {
  readonly clients: number
  readonly bodies: readonly object[]
  readonly signal: AbortSignal
}

/**
 * Sends these bodies to Search until `signal` aborts, one at a time per client; returns counts of
 * the answers.
 */
export async function searchedBy(
  tenant: Tenant,
  { clients, bodies, signal }: Searching,
): Promise<string> {
  const answered = new Map<number, number>()
  const times: number[] = []
  const client = async (first: number) => {
    for (let at = first; !signal.aborted; at++) {
      const began = performance.now()
      const body = bodies[at % bodies.length]
      const answer = await tenant.call('POST', '/api/search?catalog=shop', body)
      await answer.arrayBuffer()
      times.push(performance.now() - began)
      answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0
  const statuses = [...answered].map(([status, count]) => `${count} times ${status}`).join(', ')
  return `${statuses}, half within ${Math.round(median)} ms`
}
