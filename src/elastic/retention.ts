import { StartupFailure } from '../errors.ts'
import { ADMIN, call, type Elastic } from './client.ts'
import type { IndexDefinition } from './indices.ts'
import { runDaily } from './lease.ts'
import { monthNumber, monthOfIndex } from './monthly-names.ts'
import { monthlyKinds } from './prepare-months.ts'

/** How many whole months of logs are kept. */
export interface Retention {
  readonly months: number
  /** Months by kind of log, for kinds that differ. */
  readonly kinds: Readonly<Record<string, number>>
}

/** Throws StartupFailure for a kind that is not a monthly log. */
export function checkRetention(
  { kinds }: Retention,
  definitions: readonly Pick<IndexDefinition, 'kind' | 'monthly'>[],
): void {
  const logs = definitions.filter(({ monthly }) => monthly).map(({ kind }) => kind)
  const unknown = Object.keys(kinds).find((kind) => !logs.includes(kind))
  if (unknown === undefined) return
  throw new StartupFailure(`RETENTION_MONTHS: unknown log ${unknown}; known: ${logs.join(', ')}.`)
}

/** Deletes months beyond their retention, daily and on one instance. */
export const dropOldMonths = (elastic: Elastic, retention: Retention, now: Date) =>
  runDaily(elastic, { name: 'retention', now }, async () => {
    for (const index of await oldMonths(elastic, retention, now)) {
      await call(() => elastic.client.indices.delete({ index, ignore_unavailable: true }, ADMIN))
    }
  })

/** Monthly indices whose last day is beyond their retention. */
async function oldMonths(elastic: Elastic, { months, kinds }: Retention, now: Date) {
  const { client, indexName } = elastic
  const old: string[] = []
  for (const kind of await monthlyKinds(elastic)) {
    const kept = Object.hasOwn(kinds, kind) ? kinds[kind]! : months
    const found = await call(() =>
      client.indices.getAlias({ index: `${indexName(kind)}-*`, ignore_unavailable: true }, ADMIN),
    )
    for (const index of Object.keys(found)) {
      const month = monthOfIndex(index, indexName(kind))
      if (month !== undefined && monthNumber(now) - month > kept) old.push(index)
    }
  }
  return old
}
