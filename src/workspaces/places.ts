import type { Collection, Stored } from '../elastic/collection.ts'
import { Stale } from '../errors.ts'
import type { Context, Services } from '../operation.ts'
import { token } from '../text.ts'
import { countingLine, isAbandoned } from './batches.ts'
import { documentsOf } from './store.ts'
import { decide, readVerdict } from './verdicts.ts'
import type { ItemDocument, Line } from './workspace.ts'

export const itemKey = (workspace: string, id: string): string => token('item', workspace, id)

export const itemsOf = (
  services: Pick<Services, 'elastic'>,
  organization: string,
): Collection<ItemDocument> => documentsOf<ItemDocument>(services, organization)

/** What is stored of an item, and the line of it that counts. */
interface Place {
  readonly at: Stored<ItemDocument> | undefined
  readonly line: Line | undefined
}

/** Throws Stale while a batch is being written to it. */
export async function settled(ctx: Context, at: Stored<ItemDocument> | undefined): Promise<Place> {
  const batch = at?.source.batch
  if (!at || !batch) return { at, line: at && countingLine(at.source, undefined) }
  const place = { organization: ctx.organization.id, workspace: at.source.workspace, batch }
  const abandoned = isAbandoned(at.source, ctx.clock.now())
  const verdict = abandoned ? await decide(ctx, place, 'dropped') : await readVerdict(ctx, place)
  if (verdict === undefined) throw new Stale()
  return { at, line: countingLine(at.source, verdict) }
}
