import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { term } from '../elastic/clauses.ts'
import { collection } from '../elastic/collection.ts'
import { monthlyKind } from '../elastic/monthly-names.ts'
import { Conflict } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { logFailure } from '../platform/log.ts'
import { checkWindow, type Paging } from '../shapes.ts'
import { cut } from '../text.ts'

/** A run as it is stored and answered. */
export const RunLog = z
  .object({
    extensionId: z.string().describe('Id of the installation that ran.'),
    extensionNickname: z.string(),
    message: z.string().describe('What was done.'),
    action: z
      .string()
      .describe(
        'What ran: `run`, `search` (for a page of a search), `links`, `possibleMatches` or `options`.',
      ),
    username: z
      .string()
      .describe('User for whom it ran. For scheduled runs, the user who installed the extension.'),
    errorMessage: z.string().nullable().describe('Why the run failed. `null` if it succeeded.'),
    success: z.boolean(),
    timestamp: z.iso.datetime().describe('Start time of the run.'),
    timeTaken: z.number().describe('Duration in milliseconds.'),
    productCount: z.number().describe('Number of products processed.'),
    productsCreated: z.number(),
    productsSkipped: z
      .number()
      .describe(
        'Number of rows that were rejected or changed nothing. For a vendor, the number of products without an answer.',
      ),
    productsUpdated: z.number(),
    recommendedProductCount: z.number(),
    potentialMatchProductCount: z.number(),
  })
  .meta({ id: 'ExtensionLog' })
type RunLog = z.infer<typeof RunLog>

const noCounts = {
  productCount: 0,
  productsCreated: 0,
  productsSkipped: 0,
  productsUpdated: 0,
  recommendedProductCount: 0,
  potentialMatchProductCount: 0,
}

/** Counts of a run; absent ones are 0. */
export type RunCounts = Readonly<Partial<typeof noCounts>>

export interface ExtensionRun
  extends Pick<
    RunLog,
    'extensionId' | 'extensionNickname' | 'action' | 'message' | 'errorMessage'
  > {
  readonly began: Date
  readonly counts?: RunCounts
  /** Id of a run that may be logged twice, such as a task, so that it is logged once. */
  readonly id?: string
}

interface RunDocument extends Pick<RunLog, 'extensionId' | 'timestamp'> {
  readonly id: string
  readonly log: RunLog
}

const RUNS = 'runs'

const runsOf = ({ elastic, organization }: Context, kind = RUNS) =>
  collection<RunDocument>(elastic, { kind, scope: [organization.id], monthly: true })

/** Logs a run in the organization in effect. A failure to log does not fail the run. */
export async function logRun(ctx: Context, run: ExtensionRun): Promise<void> {
  const { began, counts, id = uuidv7(), ...rest } = run
  // A remote extension may send long texts, and a page has many runs.
  const message = cut(rest.message, limits.valueLength)
  const errorMessage =
    rest.errorMessage === null ? null : cut(rest.errorMessage, limits.valueLength)
  const timestamp = began.toISOString()
  const log: RunLog = {
    ...noCounts,
    ...rest,
    ...counts,
    message,
    errorMessage,
    success: errorMessage === null,
    timestamp,
    timeTaken: ctx.clock.now().getTime() - began.getTime(),
    username: ctx.caller.username,
  }
  const document = { id, extensionId: run.extensionId, timestamp, log }
  try {
    await runsOf(ctx, monthlyKind(RUNS, began)).create(id, document)
  } catch (error) {
    if (!(error instanceof Conflict))
      logFailure(ctx.log, 'the run of an extension was not logged', error)
  }
}

/** The runs of an installation in the organization in effect, newest first. Throws Invalid. */
export async function readRuns(
  ctx: Context,
  extensionId: string,
  paging: Paging,
): Promise<RunLog[]> {
  checkWindow(paging, 'runs')
  const { signal } = ctx
  const { page, pageSize } = paging
  const runs = runsOf(ctx)
  // So that a list requested after a run includes it.
  await runs.refresh({ signal, shared: true })
  const found = await runs.find(
    {
      from: page * pageSize,
      size: pageSize,
      sort: [{ timestamp: 'desc' }, { id: 'desc' }],
      query: { bool: { filter: [term('extensionId', extensionId)] } },
    },
    { signal, most: limits.answerBytes },
  )
  return found.map(({ log }) => log)
}
