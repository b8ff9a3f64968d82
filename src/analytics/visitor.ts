import type { Context } from '../operation.ts'

/**
 * Identifies a visitor as far as possible: by the id from the page, else of a signed key, of a
 * session or of a key's user; search keys are shared, so by address and browser. Never stored.
 */
export function visitorOf({ caller, sender }: Context, visitor: string | null): string {
  if (visitor !== null) return `visitor ${visitor}`
  if (caller.userToken !== undefined) return `token ${caller.userToken}`
  if (caller.session) return `session ${caller.session.id}`
  if (caller.keyType !== 'search') return `user ${caller.username}`
  return `client ${sender?.address ?? ''} ${sender?.agent ?? ''}`
}
