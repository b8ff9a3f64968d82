import type { BulkItem } from '../elastic/bulk.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { deferWrites } from '../elastic/deferred-writes.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import type { Context } from '../operation.ts'
import type { SearchEvent } from './event.ts'

/** The events of the organization in effect; with `month` only that month's, for writing. */
export const eventsOf = ({ elastic, organization }: Context, month?: Date) =>
  collection<SearchEvent>(elastic, {
    kind: month ? monthlyKind('searches', month) : 'searches',
    scope: [organization.id],
    monthly: true,
  })

/** An event, and the id under which it counts only once. */
export interface NewEvent {
  readonly id: string
  readonly event: SearchEvent
}

export function logEvents(ctx: Context, time: Date, events: readonly NewEvent[]): void {
  const month = eventsOf(ctx, time)
  write(
    ctx,
    events.map(({ id, event }) => month.bulkItem(id, event)),
  )
}

/** Like logEvents, but a later event with the same id replaces an earlier one. */
export function logLatest(ctx: Context, time: Date, { id, event }: NewEvent): void {
  const month = eventsOf(ctx, time)
  const document = JSON.stringify({ scope: month.place.scope, ...event })
  write(ctx, [{ action: action(ctx, 'index', { month, id, time }), document }])
}

/** Deletes an event of logLatest, even if that event is written only after this call. */
export function dropEvent(ctx: Context, time: Date, id: string): void {
  write(ctx, [{ action: action(ctx, 'delete', { month: eventsOf(ctx, time), id, time }) }])
}

interface Written {
  readonly month: Collection<SearchEvent>
  readonly id: string
  readonly time: Date
}

const action = (
  { elastic }: Context,
  what: 'index' | 'delete',
  { month, id, time }: Written,
): string =>
  JSON.stringify({
    [what]: {
      _index: elastic.indexName(month.place.kind),
      _id: month.documentId(id),
      version: time.getTime(),
      version_type: 'external_gte',
    },
  })

const write = (ctx: Context, items: readonly BulkItem[]): void =>
  deferWrites(ctx, 'search reports', items)
