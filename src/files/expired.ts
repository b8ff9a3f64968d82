import { everywhere, type Scoped } from '../elastic/everywhere.ts'
import type { Services } from '../operation.ts'

/** After so many failures the store itself is taken to be away. */
const FAILURES = 100

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

/** Does `work` for each item; failures are counted and told of, and do not stop the others. */
export async function forEach<T>(
  { log }: Pick<Services, 'log'>,
  name: string,
  items: AsyncIterable<readonly T[]>,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const errors: unknown[] = []
  let worked = 0
  for await (const batch of items) {
    for (const item of batch) {
      await work(item).then(
        () => worked++,
        (error: unknown) => errors.push(error),
      )
      if (errors.length === FAILURES) break
    }
    if (errors.length === FAILURES) break
  }
  if (errors.length > 0) {
    log.warn({ name, left: errors.length, err: errors[0] }, 'left for the next time')
  }
  return worked
}
