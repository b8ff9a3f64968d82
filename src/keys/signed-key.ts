import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Invalid, Unauthenticated } from '../errors.ts'
import { limits } from '../limits.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { problemText } from '../platform/validation-problem.ts'
import { SIGNED } from './key-text.ts'
import { SignedPayload } from './schemas.ts'

/** A signed key taken apart; nothing of it is believed before `isSignedBy`. */
export interface SignedKey {
  /** Of the key that signed it, as it says. */
  readonly keyId: string
  readonly said: unknown
  /** What was signed, and the signature. */
  readonly text: string
  readonly signature: Buffer
}

export const isSigned = (secret: string): boolean => secret.startsWith(SIGNED)

const SIGNED_KEY = /^(aisle_signed_([\w-]+))\.([\w-]{43})$/
const KEY_ID = z.looseObject({ keyId: z.uuid() })

/** One answer for whatever is wrong: who changed a signed key learns nothing of the one behind it. */
export const notSigned = (): Unauthenticated =>
  new Unauthenticated(
    'The signed key is not valid: it was changed after it was signed, or the key that signed it is no search key that works. Sign a new one.',
  )

/** Throws Unauthenticated for what is no signed key. */
export function readSignedKey(secret: string): SignedKey {
  if (secret.length > limits.signedKeyLength) {
    throw new Unauthenticated(
      `A signed key has at most ${limits.signedKeyLength} characters, this one ${secret.length}: sign a shorter filter, as a tag that products carry.`,
    )
  }
  const [, text, payload, signature] = SIGNED_KEY.exec(secret) ?? []
  if (text === undefined) throw notSigned()
  const said = parsed(Buffer.from(payload!, 'base64url').toString())
  const known = KEY_ID.safeParse(said)
  if (!known.success) throw notSigned()
  const { keyId } = known.data
  return { keyId, said, text, signature: Buffer.from(signature!, 'base64url') }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw notSigned()
  }
}

/** Whether the holder of the key with this stored hash signed it. */
export function isSignedBy({ text, signature }: SignedKey, hash: string): boolean {
  return timingSafeEqual(createHmac('sha256', hash).update(text).digest(), signature)
}

const KNOWN = knownFields(SignedPayload)

/** What a signed key says, whose signature holds. Throws Invalid. */
export function payloadOf({ said }: SignedKey): SignedPayload {
  refuseUnknown(KNOWN, said, 'signed key')
  const checked = SignedPayload.safeParse(said)
  if (checked.success) return checked.data
  throw new Invalid(problemText(checked.error, 'signed key', { always: true }))
}
