import { v7 as uuidv7 } from 'uuid'
import { term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { Conflict, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'

/** Counts of a run; absent ones are 0. */
export interface RunCounts {
  readonly productCount?: number
  readonly productsCreated?: number
  readonly productsSkipped?: number
  readonly productsUpdated?: number
  readonly recommendedProductCount?: number
  readonly potentialMatchProductCount?: number
}

export interface ExtensionRun {
  /** The installation that ran. */
  readonly extensionId: string
  readonly extensionNickname: string
  /** The call, such as `run` or `links`. */
  readonly action: string
  readonly message: string
  readonly errorMessage: string | null
  readonly began: Date
  readonly counts?: RunCounts
  /** For a run that may be logged twice, such as a task: its id, so that it is logged once. */
  readonly id?: string
}

/** A run as stored. */
export interface RunLog extends Required<RunCounts> {
  readonly extensionId: string
  readonly extensionNickname: string
  readonly message: string
  readonly action: string
  readonly username: string
  readonly errorMessage: string | null
  readonly success: boolean
  readonly timestamp: string
  readonly timeTaken: number
}

interface RunDocument {
  readonly id: string
  readonly extensionId: string
  readonly timestamp: string
  readonly log: RunLog
}

const none: Required<RunCounts> = {
  productCount: 0,
  productsCreated: 0,
  productsSkipped: 0,
  productsUpdated: 0,
  recommendedProductCount: 0,
  potentialMatchProductCount: 0,
}

/** Logs a run in the organization in effect. A failure to log does not fail the run. */
export async function logRun(ctx: Context, run: ExtensionRun): Promise<void> {
  const { began, counts, id = uuidv7(), errorMessage, ...rest } = run
  const timestamp = began.toISOString()
  const log: RunLog = {
    ...none,
    ...rest,
    ...counts,
    errorMessage,
    success: errorMessage === null,
    timestamp,
    timeTaken: ctx.clock.now().getTime() - began.getTime(),
    username: ctx.caller.username,
  }
  const runs = collection<RunDocument>(ctx.elastic, {
    kind: monthlyKind('runs', began),
    scope: [ctx.organization.id],
    monthly: true,
  })
  const document = { id, extensionId: run.extensionId, timestamp, log }
  try {
    await runs.create(id, document)
  } catch (error) {
    if (!(error instanceof Conflict)) warnOf(ctx.log, 'run of an extension not logged', error)
  }
}

export interface RunFilter {
  readonly extensionId: string
  readonly page: number
  readonly pageSize: number
}

/** The runs of an installation in the organization in effect, newest first. Throws Invalid. */
export async function readRuns(
  ctx: Context,
  { extensionId, page, pageSize }: RunFilter,
): Promise<RunLog[]> {
  const { signal } = ctx
  if ((page + 1) * pageSize > limits.resultWindow) {
    throw new Invalid(`page: only the newest ${limits.resultWindow} runs are listed`)
  }
  const runs = collection<RunDocument>(ctx.elastic, {
    kind: 'runs',
    scope: [ctx.organization.id],
    monthly: true,
  })
  // So that a list requested after a run includes it.
  await refreshIndex(ctx.elastic, 'runs', { signal })
  const answer = await runs.search(
    {
      from: page * pageSize,
      size: pageSize,
      track_total_hits: false,
      sort: [{ timestamp: 'desc' }, { id: 'desc' }],
      query: { bool: { filter: [term('extensionId', extensionId)] } },
    },
    { signal },
  )
  return answer.hits.hits.map(({ _source }) => _source!.log)
}
