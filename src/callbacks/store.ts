import { changeDocument } from '../elastic/change-document.ts'
import { anyOf, constant, present, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { inAllScopes } from '../elastic/scan.ts'
import { NotFound } from '../errors.ts'
import type { Context, Services } from '../operation.ts'
import { defined } from '../platform/defined.ts'
import { unlessUnreadable } from '../platform/secrets.ts'
import { checkWindow, type Paging } from '../shapes.ts'
import { openedAddress } from '../tasks/callback-address.ts'
import { type Delivery, redelivered } from './delivery.ts'

const KIND = 'callbacks'

export const deliveriesOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<Delivery> => collection<Delivery>(elastic, { kind: KIND, scope: [organization] })

/** The fields in a list, without the body. */
const LISTED = ['id', 'taskId', 'url', 'status', 'attempts', 'nextAttempt'] as const
export type ListedDelivery = Pick<Delivery, (typeof LISTED)[number]>

/** The callbacks of the organization, newest first. */
export async function listDeliveries(ctx: Context, paging: Paging): Promise<ListedDelivery[]> {
  checkWindow(paging, 'callbacks')
  const { page, pageSize } = paging
  const found = await deliveriesOf(ctx, ctx.organization.id).find(
    {
      from: page * pageSize,
      size: pageSize,
      _source: [...LISTED],
      sort: [{ created: 'desc' }, { id: 'asc' }],
      query: { match_all: {} },
    },
    { signal: ctx.signal },
  )
  const addressOf = (one: ListedDelivery) =>
    unlessUnreadable(() => openedAddress(ctx, { organization: ctx.organization.id, ...one }))
  return found.map((one) => ({ ...one, url: addressOf(one) ?? '' }))
}

/** Makes a callback due now, also one that was delivered. Throws NotFound. */
export async function redeliver(ctx: Context, id: string): Promise<void> {
  const again = (delivery: Delivery | undefined) => {
    if (!delivery) throw new NotFound('Callback')
    return redelivered(delivery, ctx.clock.now())
  }
  const options = { signal: ctx.signal, refresh: true } as const
  await changeDocument(deliveriesOf(ctx, ctx.organization.id), id, again, options)
  ctx.wakeCallbacks(id)
}

export interface DueDelivery {
  readonly id: string
  readonly organization: string
  readonly family: string
  readonly receiver?: string
}

interface DueSearch {
  /** Families that have the maximum under way. */
  readonly full: readonly string[]
  /** Families, and organizations, that have some under way. */
  readonly families: readonly string[]
  readonly organizations: readonly string[]
  /** Receivers that did not respond to the latest attempt. */
  readonly silent: readonly string[]
  readonly size: number
}

/**
 * Callbacks of all organizations that are due: those of families with none under way come first,
 * then those of organizations with none, those to receivers that respond, and the longest overdue.
 * Returns ids, since each delivery is opened in its own organization.
 */
export async function dueDeliveries(
  { elastic, clock }: Services,
  { full, families, organizations, silent, size }: DueSearch,
): Promise<DueDelivery[]> {
  const found = await inAllScopes<Delivery>(elastic, KIND).find({
    size,
    _source: ['id', 'scope', 'family', 'receiver'],
    sort: ['_score', { nextAttempt: 'asc' }, { id: 'asc' }],
    query: {
      bool: {
        filter: [
          term('status', 'pending'),
          { range: { nextAttempt: { lte: clock.now().toISOString() } } },
        ],
        must_not: ofFamilies(full),
        should: [
          constant({ bool: { must_not: ofFamilies(families) } }, 4),
          constant({ bool: { must_not: present([anyOf('scope', organizations)]) } }, 2),
          constant({ bool: { must_not: present([anyOf('receiver', silent)]) } }, 1),
        ],
      },
    },
  })
  return found.map(({ id, scope, family = scope, receiver }) => ({
    id,
    organization: scope,
    family,
    ...defined({ receiver }),
  }))
}

/** A delivery of an older version has no family and counts for its organization. */
const ofFamilies = (ids: readonly string[]) => present([anyOf('family', ids), anyOf('scope', ids)])
