import { bothRevisions, operation } from '../operation.ts'
import { readUsage } from './read-usage.ts'
import { SearchUsage, UsageMonth } from './schemas.ts'

export const usageOperations = [
  operation({
    name: 'Search Usage',
    summary:
      'Returns the searches of a month by user and by API key. Defaults to the current month.',
    cost: 8,
    access: 'administrator',
    bindings: bothRevisions('GET', '/api/organizations/current/usage', {
      query: UsageMonth,
      answer: SearchUsage,
    }),
    handle: (month, ctx) => readUsage(ctx, month),
  }),
]
