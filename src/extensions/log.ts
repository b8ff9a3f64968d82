import { v7 as uuidv7 } from 'uuid'
import { term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { Conflict, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { warnOf } from '../platform/log.ts'

/** What a run dealt with; what it does not say is 0. */
export interface RunCounts {
  readonly productCount?: number
  readonly productsCreated?: number
  readonly productsSkipped?: number
  readonly productsUpdated?: number
  readonly recommendedProductCount?: number
  readonly potentialMatchProductCount?: number
}

export interface Run {
  /** The installation that ran. */
  readonly extensionId: string
  readonly extensionNickname: string
  /** What it did, as in `run` or `links`. */
  readonly action: string
  readonly message: string
  readonly errorMessage: string | null
  /** When it began, and for how many milliseconds it ran. */
  readonly began: Date
  readonly timeTaken: number
  readonly counts: RunCounts
  /** Of a run that may be logged again, the task's id for one: it is then logged once. */
  readonly id?: string
}

/** A run as it is kept. */
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

/** Remembers a run, in the organization in effect. One that cannot be written fails nobody's run. */
export async function logRun(ctx: Context, run: Run): Promise<void> {
  const { began, counts, id = uuidv7(), errorMessage, ...rest } = run
  const timestamp = began.toISOString()
  const log: RunLog = {
    ...none,
    ...rest,
    ...counts,
    errorMessage,
    success: errorMessage === null,
    timestamp,
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

export interface RunsWanted {
  readonly extensionId: string
  readonly page: number
  readonly pageSize: number
}

/** The runs of an installation in the organization in effect, newest first. Throws Invalid. */
export async function readRuns(
  ctx: Context,
  { extensionId, page, pageSize }: RunsWanted,
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
  // Who looks after a run sees it.
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
