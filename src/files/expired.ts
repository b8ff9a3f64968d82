import { type Scoped, scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'

/** Fields of every expiring record. */
export interface Expiring {
  readonly id: string
  readonly expires: string
}

export type Expired<T> = Scoped<T>

/**
 * Yields expired documents of all organizations in batches, oldest first. A document that stays is
 * skipped until the next call.
 */
export const scanExpired = <T extends Expiring>(
  { elastic, clock }: Pick<Services, 'elastic' | 'clock'>,
  kind: string,
): AsyncGenerator<readonly Expired<T>[]> =>
  scanAllScopes<T>(elastic, kind, {
    query: { range: { expires: { lte: clock.now().toISOString() } } },
    sort: ['expires', 'id'],
  })
