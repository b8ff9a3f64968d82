import { deadlineFailure, Failure, publicError } from '../errors.ts'
import { ALL_ORGANIZATIONS } from '../extensions/registrations.ts'
import type { CallerContext, ChangeNote, Operation } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { type AuditedOutcome, entryOf, isRead } from './entry.ts'
import { noteHourly, storeEntry, storeEntryLater } from './store.ts'

type Handle = (input: object, ctx: CallerContext) => unknown

/** Wraps an operation, so that it is recorded in the audit log if its declaration says so. */
export function audited(operation: Operation): Operation {
  if (!operation.audit) return operation
  const { audit } = operation
  const handle = operation.handle as Handle
  const happened = audit.happened as ((output: unknown) => boolean) | undefined
  const ownersOf = audit.owners as ((output: unknown) => readonly string[]) | undefined

  async function keep(ctx: CallerContext, what: AuditedOutcome): Promise<void> {
    const entry = await inSteps(entryOf(operation, ctx, what))
    const all = ctx.caller.role === 'operator' ? ALL_ORGANIZATIONS : undefined
    const owner = what.note?.owner ?? ctx.organization?.id ?? all
    // Without an organization, there is no log for the entry.
    if (owner === undefined) return
    if (entry.reads || entry.outcome === 'refused') return noteHourly(ctx, owner, entry)
    // The caller is answered with the failure in any case.
    if (entry.outcome === 'unknown') return storeEntryLater(ctx, owner, entry)
    await storeEntry(ctx, owner, entry)
  }

  const handled: Handle = async (input, ctx) => {
    let note: ChangeNote | undefined
    const noteChange = (change: ChangeNote) => {
      note = change
    }
    const noted = () => (note ? { input, note } : { input })
    let output: unknown
    try {
      output = await handle(input, { ...ctx, noteChange })
    } catch (error) {
      const outcome = outcomeOf(error)
      const isKept = outcome === 'refused' || (outcome === 'unknown' && !isRead(operation))
      if (isKept) await keep(ctx, { outcome, ...noted() })
      throw error
    }
    const what = { outcome: 'done', output, ...noted() } as const
    // What operators read across organizations is recorded in their own log.
    const owners = ctx.caller.role === 'operator' ? undefined : ownersOf?.(output)
    if (owners) for (const owner of owners) await keep(ctx, { ...what, note: { owner } })
    else if (happened?.(output) ?? true) await keep(ctx, what)
    return output
  }
  return {
    ...operation,
    handle: handled as Operation['handle'],
    refused: (ctx) => ctx.background.run('audit log', () => keep(ctx, { outcome: 'refused' })),
  }
}

/** Undefined for a failure that certainly changed nothing and does not concern permissions. */
function outcomeOf(thrown: unknown): 'refused' | 'unknown' | undefined {
  const error = deadlineFailure(thrown)
  if (error instanceof Failure && error.code === 'forbidden') return 'refused'
  return publicError(error).status >= 500 ? 'unknown' : undefined
}
