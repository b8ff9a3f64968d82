import { scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'

/**
 * Yields expired documents of all organizations, oldest first. One that is not removed is yielded
 * again next time.
 */
export const scanExpired = <T extends object>(
  { elastic, clock }: Pick<Services, 'elastic' | 'clock'>,
  kind: string,
) =>
  scanAllScopes<T>(elastic, kind, {
    query: { range: { expires: { lte: clock.now().toISOString() } } },
    sort: ['expires', 'id'],
  })
