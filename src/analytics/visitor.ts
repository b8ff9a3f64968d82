import type { Context } from '../operation.ts'

/**
 * Identifies a visitor by the id that the page sent, else by the signed key's token, the session or
 * the key's user. Search keys are shared, so they use address and User-Agent. Never stored.
 */
export function visitorOf({ caller, sender }: Context, visitor: string | null): string {
  if (visitor !== null) return `visitor ${visitor}`
  if (caller.userToken !== undefined) return `token ${caller.userToken}`
  if (caller.session) return `session ${caller.session.id}`
  if (caller.keyType !== 'search') return `user ${caller.username}`
  return `client ${sender?.address ?? ''} ${sender?.agent ?? ''}`
}
