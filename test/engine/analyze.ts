import { Client, type estypes } from '@elastic/elasticsearch'
import { inject } from 'vitest'

/** The run's Elasticsearch, through a client with default settings. */
export function testClient(): Client {
  const { node, auth, ca } = inject('elasticsearch')
  return new Client({ node, ...(auth && { auth }), ...(ca && { tls: { ca } }) })
}

/**
 * Tokens in one line: a space before a token at a new position, `|` before one at the same
 * position, and `:n` after one that spans n positions; `_` stands for an empty position.
 */
export async function tokensOf(
  client: Client,
  request: estypes.IndicesAnalyzeRequest,
): Promise<string> {
  const { tokens = [] } = await client.indices.analyze(request)
  const positions: string[][] = []
  for (const { token, position, positionLength = 1 } of tokens) {
    positions[position] ??= []
    positions[position].push(positionLength > 1 ? `${token}:${positionLength}` : token)
  }
  return Array.from(positions, (here) => here?.join('|') ?? '_').join(' ')
}
