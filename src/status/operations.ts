import { operation, route } from '../operation.ts'
import { AnyQuery } from '../shapes.ts'
import { checkConnections } from './health.ts'

export const statusOperations = [
  operation({
    name: 'Status',
    summary: 'Answers as soon as the service listens, whatever Elasticsearch does.',
    access: 'public',
    bindings: { any: route('GET', '/api/status', { query: AnyQuery, answer: 'text' }) },
    handle: () => 'ok',
  }),
  operation({
    name: 'Connection status',
    summary: 'Says whether Elasticsearch answers and takes writes, and what is wrong when not.',
    access: 'public',
    bindings: { any: route('GET', '/api/status/connections', { query: AnyQuery, answer: 'text' }) },
    handle: async (_input, ctx) => {
      const { elasticsearch, clock } = await checkConnections(ctx)
      return `elasticsearch: ${elasticsearch}${clock ? `\nclock: ${clock}` : ''}`
    },
  }),
  operation({
    name: 'Metrics',
    summary: 'Answers what this instance counts, in the text format of Prometheus.',
    access: 'operatorOnly',
    bindings: { any: route('GET', '/metrics', { query: AnyQuery, answer: 'text' }) },
    handle: (_input, ctx) => ctx.metrics.text(),
  }),
]
