import type { Context } from '../operation.ts'

/**
 * Who searches, as far as anybody can tell: the id that the page says, else that of a signed key, else a session, else the user
 * of a key, else, since a search key is everybody's, the address and the browser. Never stored.
 */
export function visitorOf({ caller, sender }: Context, visitor: string | null): string {
  if (visitor !== null) return `visitor ${visitor}`
  if (caller.userToken !== undefined) return `token ${caller.userToken}`
  if (caller.session) return `session ${caller.session.id}`
  if (caller.keyType !== 'search') return `user ${caller.username}`
  return `client ${sender?.address ?? ''} ${sender?.agent ?? ''}`
}
