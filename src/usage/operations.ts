import { both, operation } from '../operation.ts'
import { readUsage } from './read-usage.ts'
import { SearchUsage, UsageMonth } from './schemas.ts'

export const usageOperations = [
  operation({
    name: 'Search Usage',
    summary: 'Counts the searches of a month, this one by default, by user and by API key.',
    access: 'administrator',
    bindings: both('GET', '/api/organizations/current/usage', {
      query: UsageMonth,
      answer: SearchUsage,
    }),
    handle: (month, ctx) => readUsage(ctx, month),
  }),
]
