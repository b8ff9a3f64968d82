import { expect, test, vi } from 'vitest'
import { mcpOperation } from '../../../src/mcp/operation.ts'
import { operations } from '../../../src/operations.ts'
import { untilAborted } from '../../../src/platform/deadline.ts'

test('a tool that takes too long reports a timeout', async () => {
  const slow = operations.map((operation) => ({
    ...operation,
    handle: (_: unknown, { signal }: { signal: AbortSignal }) =>
      untilAborted(signal, new Promise(() => undefined)),
  }))
  const { handle } = mcpOperation(slow as never)
  const call = { name: 'search_products', arguments: { catalog: 'tools' } }
  const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const ctx = {
    caller: { keyType: 'full', role: 'viewer' },
    log: { error: vi.fn() },
    signal: AbortSignal.timeout(20),
  }
  const { body } = (await handle({ sent, headers } as never, ctx as never)) as {
    body: ReadableStream
  }
  expect(await new Response(body).text()).toContain('The request timed out. Try again.')
})
