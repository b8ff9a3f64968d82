import { deadlineFailure, Failure, toldOf } from '../errors.ts'
import { ALL_ORGANIZATIONS } from '../extensions/registrations.ts'
import type { CallerContext, ChangeNote, Operation } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { entryOf, type Happened, isRead } from './entry.ts'
import { noteHourly, storeEntry, storeEntryLater } from './store.ts'

type Handle = (input: object, ctx: CallerContext) => unknown

/** An operation that keeps the audit log where its declaration says so. */
export function audited(operation: Operation): Operation {
  if (!operation.audit) return operation
  const { audit } = operation
  const handle = operation.handle as Handle
  const happened = audit.happened as ((output: unknown) => boolean) | undefined
  const ownersOf = audit.owners as ((output: unknown) => readonly string[]) | undefined

  async function keep(ctx: CallerContext, what: Happened): Promise<void> {
    const entry = await inSteps(entryOf(operation, ctx, what))
    const all = ctx.caller.role === 'operator' ? ALL_ORGANIZATIONS : undefined
    const owner = what.note?.owner ?? ctx.organization?.id ?? all
    // Who names no organization saw or was refused what is of none.
    if (owner === undefined) return
    if (entry.reads || entry.outcome === 'refused') return noteHourly(ctx, owner, entry)
    // The failure is answered in any case.
    if (entry.outcome === 'unknown') return storeEntryLater(ctx, owner, entry)
    await storeEntry(ctx, owner, entry)
  }

  const handled: Handle = async (input, ctx) => {
    let note: ChangeNote | undefined
    const noteChange = (change: ChangeNote) => {
      note = change
    }
    const told = () => (note ? { input, note } : { input })
    let output: unknown
    try {
      output = await handle(input, { ...ctx, noteChange })
    } catch (error) {
      const outcome = outcomeOf(error)
      const isKept = outcome === 'refused' || (outcome === 'unknown' && !isRead(operation))
      if (isKept) await keep(ctx, { outcome, ...told() })
      throw error
    }
    const what = { outcome: 'done', output, ...told() } as const
    // What operators see of all is in their own log.
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

/** Undefined for what was certainly not done, and is no matter of permission. */
function outcomeOf(thrown: unknown): 'refused' | 'unknown' | undefined {
  const error = deadlineFailure(thrown)
  if (error instanceof Failure && error.code === 'forbidden') return 'refused'
  return toldOf(error).status >= 500 ? 'unknown' : undefined
}
