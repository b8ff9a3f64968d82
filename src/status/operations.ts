import { operation, route } from '../operation.ts'
import { AnyQuery } from '../shapes.ts'
import { clockWarning } from './clock-skew.ts'
import { checkConnections } from './health.ts'

export const statusOperations = [
  operation({
    name: 'Status',
    summary:
      'Returns 200 as soon as the service accepts requests, regardless of the state of Elasticsearch.',
    access: 'public',
    bindings: { any: route('GET', '/api/status', { query: AnyQuery, answer: 'text' }) },
    handle: () => 'ok',
  }),
  operation({
    name: 'Connection status',
    summary:
      'Reports whether Elasticsearch is reachable and accepts writes and, if not, what is wrong.',
    access: 'public',
    bindings: { any: route('GET', '/api/status/connections', { query: AnyQuery, answer: 'text' }) },
    handle: async (_input, ctx) => {
      const { elasticsearch, secondsAhead } = await checkConnections(ctx)
      const clock = clockWarning(secondsAhead)
      return `elasticsearch: ${elasticsearch}${clock ? `\nclock: ${clock}` : ''}`
    },
  }),
  operation({
    name: 'Metrics',
    summary: 'Returns the metrics of this instance in the Prometheus text format.',
    access: 'operatorOnly',
    bindings: { any: route('GET', '/metrics', { query: AnyQuery, answer: 'text' }) },
    handle: (_input, ctx) => ctx.metrics.text(),
  }),
]
