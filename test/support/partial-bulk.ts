import type { IncomingMessage, ServerResponse } from 'node:http'

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly target: string
}

const BUSY = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'injected' } }

/** Forwards two of three items of a `_bulk`, and answers the others with 429. */
export async function forwardSome({ incoming, outgoing, target }: Exchange): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n')
  const items: string[][] = []
  for (let at = 0; at < lines.length; at += 2) items.push(lines.slice(at, at + 2))
  const isBusy = items.map(() => Math.random() < 1 / 3)
  const taken = items.filter((_, at) => !isBusy[at])
  const results = taken.length > 0 ? await send(`${target}/_bulk`, taken) : []
  const answers = items.map(([action], at) =>
    isBusy[at] ? { [Object.keys(JSON.parse(action!))[0]!]: BUSY } : results.shift(),
  )
  outgoing.writeHead(200, {
    'content-type': 'application/json',
    'x-elastic-product': 'Elasticsearch',
  })
  outgoing.end(JSON.stringify({ errors: true, items: answers }))
}

async function send(url: string, items: readonly string[][]): Promise<unknown[]> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${items.flat().join('\n')}\n`,
  })
  return ((await answer.json()) as { items: unknown[] }).items
}
