import { clusterHealth } from '../elastic/health.ts'
import { operation, route } from '../operation.ts'
import { AnyQuery } from '../shapes.ts'

export const status = operation({
  name: 'Status',
  summary: 'Answers as soon as the service listens, whatever Elasticsearch does.',
  access: 'public',
  bindings: { any: route('GET', '/api/status', { query: AnyQuery, answer: 'text' }) },
  handle: () => 'ok',
})

export const connectionStatus = operation({
  name: 'Connection status',
  summary: 'Says whether Elasticsearch answers, and what is wrong when it does not.',
  access: 'public',
  bindings: { any: route('GET', '/api/status/connections', { query: AnyQuery, answer: 'text' }) },
  handle: async (_input: object, ctx) => `elasticsearch: ${await clusterHealth(ctx.elastic)}`,
})

export const statusOperations = [status, connectionStatus]
