import { createHmac, randomBytes } from 'node:crypto'
import { hashOf, secretOf } from '../keys/key-text.ts'
import type { Reencrypt, Secrets } from '../platform/secrets.ts'

/** A punchout session, stored under the hash of its token. */
export interface Session {
  /** The organization. */
  readonly scope: string
  readonly id: string
  readonly username: string
  readonly membership: string
  /** The hash of the key that set it up. */
  readonly setupKey: string
  /** Sealed, since it may contain a credential for the buyer's system. */
  readonly callbackUrl: string
  /** Identifies the session to the buyer's system; null where none was sent. */
  readonly buyerCookie: string | null
  /** Name of a price list. Null, or absent in earlier versions: general prices. */
  readonly priceList?: string | null
  readonly workspace: string
  readonly salt: string
  /** The token's expiry. */
  readonly opens: string
  /** When nothing of it can be in use any longer. */
  readonly over: string
}

export const newToken = (): string => randomBytes(24).toString('base64url')

export const sessionId = (token: string): string => hashOf(token)

/**
 * The session's key is derived from its token, so that storing the key spends the token in one
 * step. The salt is known only here: an old token does not reveal the key.
 */
export const keyOf = (token: string, { salt }: Pick<Session, 'salt'>): string =>
  secretOf('search', createHmac('sha256', salt).update(token).digest().subarray(0, 24))

/** The name of a session's workspace; nobody needs to type it. */
export const workspaceName = ({ workspace }: Pick<Session, 'workspace'>): string =>
  `punchout ${workspace}`

type SessionAddress = Pick<Session, 'scope' | 'id' | 'callbackUrl'>

const sessionContext = ({ scope, id }: SessionAddress): string[] => [scope, 'punchout', id]

/** Earlier versions stored addresses in clear. */
const isClear = ({ callbackUrl }: SessionAddress): boolean => /^https?:/i.test(callbackUrl)

/** A session as stored. */
export const sealedSession = (secrets: Secrets, session: Session): Session => ({
  ...session,
  callbackUrl: secrets.seal(session.callbackUrl, sessionContext(session)),
})

/** The return address of the order in clear. Throws SecretUnreadable. */
export const callbackUrlOf = (secrets: Secrets, session: SessionAddress): string =>
  isClear(session)
    ? session.callbackUrl
    : secrets.open(session.callbackUrl, sessionContext(session))

export const reencryptSession = <T extends SessionAddress>(
  session: T,
  reencrypt: Reencrypt,
): T => ({
  ...session,
  callbackUrl: reencrypt(session.callbackUrl, sessionContext(session), {
    isClear: isClear(session),
  }),
})
