import type { CallerContext, ChangeNote } from '../operation.ts'
import { AUDITED_USER } from '../organizations/audited-user.ts'
import { inSteps } from '../platform/in-steps.ts'
import { entryOf } from './entry.ts'
import { storeEntry } from './store.ts'

/**
 * Not an operation of the table, since any request with a token may be the first one of a person.
 */
const SIGN_IN = { name: 'Sign in', audit: { ...AUDITED_USER, reads: false }, bindings: {} }

/** Records that a person who signed in became a user, or got another role. Throws Unavailable. */
export async function noteSignIn(
  ctx: CallerContext,
  note: ChangeNote & { readonly owner: string },
): Promise<void> {
  const input = { uname: ctx.caller.username }
  const entry = await inSteps(entryOf(SIGN_IN, ctx, { outcome: 'done', input, note }))
  await storeEntry(ctx, note.owner, entry)
}
