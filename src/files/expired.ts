import { type ScanOptions, scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'

/**
 * Yields expired documents of all organizations, oldest first. One that is not removed is yielded
 * again next time. Only ids are read by default, since whole documents may be very large.
 */
export const scanExpired = <T extends object = { readonly id: string }>(
  { elastic, clock }: Pick<Services, 'elastic' | 'clock'>,
  kind: string,
  _source: ScanOptions['_source'] = ['id', 'scope'],
) =>
  scanAllScopes<T>(elastic, kind, {
    _source,
    query: { range: { expires: { lte: clock.now().toISOString() } } },
    sort: ['expires', 'id'],
  })
