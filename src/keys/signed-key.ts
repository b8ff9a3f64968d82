import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Invalid, Unauthenticated } from '../errors.ts'
import { limits } from '../limits.ts'
import { checkValue } from '../platform/input-checks.ts'
import { knownFields, refuseUnknown } from '../platform/known-fields.ts'
import { parseWith } from '../platform/validation-problem.ts'
import { isOfAnnotations } from '../products/criteria.ts'
import { SIGNED } from './key-text.ts'
import { SignedPayload } from './schemas.ts'

/** The parts of a signed key. None is trusted before `isSignedBy`. */
export interface SignedKey {
  /** Id of the key that signed it, as the signed key claims. */
  readonly keyId: string
  readonly said: unknown
  /** What was signed, and the signature. */
  readonly text: string
  readonly signature: Buffer
}

export const isSigned = (secret: string): boolean => secret.startsWith(SIGNED)

const SIGNED_KEY = /^(aisle_signed_([\w-]+))\.([\w-]{43})$/
const KEY_ID = z.looseObject({ keyId: z.uuid() })

/** One error for everything that may be wrong, which reveals nothing about the key that signs. */
export const notSigned = (): Unauthenticated =>
  new Unauthenticated(
    'The signed key is not valid: it was modified after signing, or the signing key is not a valid search key. Sign a new one.',
  )

/** Parses a signed key. Throws Unauthenticated for other text. */
export function readSignedKey(secret: string): SignedKey {
  if (secret.length > limits.signedKeyLength) {
    throw new Unauthenticated(
      `A signed key has at most ${limits.signedKeyLength} characters, but this one has ${secret.length}. Sign a shorter filter, and move common criteria to the filter of the signing key.`,
    )
  }
  const [, text, payload, signed] = SIGNED_KEY.exec(secret) ?? []
  if (text === undefined) throw notSigned()
  const signature = Buffer.from(signed!, 'base64url')
  // The last letter has two spare bits: accept only one text for a key.
  if (signature.toString('base64url') !== signed) throw notSigned()
  const said = parsed(Buffer.from(payload!, 'base64url').toString())
  const known = KEY_ID.safeParse(said)
  if (!known.success) throw notSigned()
  const { keyId } = known.data
  return { keyId, said, text, signature }
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

/** The payload of a signed key, after checking its signature. Throws Invalid. */
export function payloadOf({ said }: SignedKey): SignedPayload {
  checkValue(said, 'signed key')
  refuseUnknown(KNOWN, said, 'signed key')
  return withoutAnnotations(parseWith(SignedPayload, said, 'signed key', { always: true }))
}

/**
 * Refuses criteria that search keys may not use. A key that signs may be in a page, where anybody
 * can sign with it, so signing must not allow them either. Throws Invalid.
 */
function withoutAnnotations(payload: SignedPayload): SignedPayload {
  const { must = [], exclude = [] } = payload.filter ?? {}
  const found = [...must, ...exclude].find(({ type }) => isOfAnnotations(type))
  if (!found) return payload
  throw new Invalid(
    `signed key.filter: criteria of type ${found.type} are not allowed; add them to the filter of the signing key`,
  )
}
