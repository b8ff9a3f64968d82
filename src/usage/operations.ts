import { operation, route } from '../operation.ts'
import { readUsage } from './reading.ts'
import { SearchUsage, UsageMonth } from './schemas.ts'

const reading = route('GET', '/api/organizations/current/usage', {
  query: UsageMonth,
  answer: SearchUsage,
})
export const searchUsage = operation({
  name: 'Search Usage',
  summary: 'Counts the searches of a month, this one by default, by user and by API key.',
  access: 'administrator',
  bindings: { '1.0': reading, '6.0': reading },
  handle: (month: UsageMonth, ctx) => readUsage(ctx, month),
})

export const usageOperations = [searchUsage]
