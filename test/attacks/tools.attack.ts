import type { Attack } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const LINES = 900

export const attack: Attack = {
  name: 'tools',
  what: `48 clients of one tenant send messages for models, lists of ${LINES} parts among them`,
  async prepare(target) {
    const tenant = await target.tenant({ products: 2_000 })
    const headers = {
      ...tenant.headers,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    }
    const send = (method: string, params: object, id: string | number = 1) =>
      fetch(`${target.address}/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      })
    const use = (name: string, given: object) =>
      send('tools/call', { name, arguments: { catalog: 'shop', ...given } })
    const listAt = (turn: number) =>
      Array.from({ length: LINES }, (_, at) => `${at}x cordless drill ${turn} MP-${at * 7}`)
    const clientInfo = { name: 'x', version: '1' }
    const turns: ((turn: number) => Promise<Response>)[] = [
      () => send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
      () => send('tools/list', {}),
      () => send('tools/list', {}, 'i'.repeat(100_000)),
      (turn) => use('list_facets', { keywords: `drill ${turn % 97}` }),
      (turn) => use('match_list', { text: listAt(turn).join('\n') }),
    ]
    return (signal) =>
      answersUnder(
        clients(48, (turn) => turns[turn % turns.length]!(turn)),
        signal,
      )
  },
}
