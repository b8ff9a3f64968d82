import { everywhere, type Scoped } from '../elastic/everywhere.ts'
import type { Services } from '../operation.ts'

/** What every record of a kept thing has. */
export interface Expiring {
  readonly id: string
  readonly expires: string
}

export type Expired<T> = Scoped<T>

/**
 * Hands over what has expired, of every organization, in batches, oldest first. A record that
 * stays is passed over until the next call.
 */
export const expired = <T extends Expiring>(
  { elastic, clock }: Pick<Services, 'elastic' | 'clock'>,
  kind: string,
): AsyncGenerator<readonly Expired<T>[]> =>
  everywhere<T>(elastic, kind, {
    query: { range: { expires: { lte: clock.now().toISOString() } } },
    sort: ['expires', 'id'],
  })
