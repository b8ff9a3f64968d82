import { Conflict, Stale, Unavailable } from '../errors.ts'
import type { Services } from '../operation.ts'
import { token } from '../text.ts'
import type { Verdict } from './batches.ts'
import { documentsOf } from './store.ts'
import type { VerdictDocument } from './workspace.ts'

/** A batch, and where it was written. */
export interface BatchPlace {
  readonly organization: string
  readonly workspace: string
  readonly batch: string
}

export const verdictsOf = (services: Pick<Services, 'elastic'>, organization: string) =>
  documentsOf<VerdictDocument>(services, organization)

export const verdictKey = (batch: string): string => token('verdict', batch)

type Call = Services & { readonly signal?: AbortSignal }

const within = ({ signal }: Call) => (signal ? { signal } : {})

/** Undefined while the batch is under way. */
export async function readVerdict(
  ctx: Call,
  { organization, batch }: BatchPlace,
): Promise<Verdict | undefined> {
  const found = await verdictsOf(ctx, organization).get(verdictKey(batch), within(ctx))
  return found?.source.verdict
}

/** Decides a batch; answers what it is, since somebody else may have been first. Seen by searches. */
export async function decide(ctx: Call, place: BatchPlace, verdict: Verdict): Promise<Verdict> {
  const document: VerdictDocument = {
    kind: 'verdict',
    id: place.batch,
    workspace: place.workspace,
    verdict,
    since: ctx.clock.now().toISOString(),
  }
  const verdicts = verdictsOf(ctx, place.organization)
  try {
    await verdicts.create(verdictKey(place.batch), document, { ...within(ctx), refresh: true })
    return verdict
  } catch (error) {
    if (!(error instanceof Conflict || error instanceof Unavailable)) throw error
    const decided = await readVerdict(ctx, place)
    if (decided !== undefined) return decided
    // Decided by somebody else, and settled since: what is there now tells.
    throw error instanceof Conflict ? new Stale() : error
  }
}
