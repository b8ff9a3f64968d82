import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { Failure, StartupFailure } from '../errors.ts'

/** Encrypts texts that must be readable again. Stored data reveals nothing without the key. */
export interface Secrets {
  /** `context` (organization, field …) is authenticated: the text opens in that context alone. */
  seal(text: string, context: readonly string[]): string
  /** Throws SecretUnreadable for another key, another context, or text that is not sealed. */
  open(sealed: string, context: readonly string[]): string
  /** Whether it was sealed with the current key. */
  isCurrent(sealed: string): boolean
  /** 32 bytes derived from the text, the context and the current key, which reveal none of them. */
  fingerprint(text: string, context: readonly string[]): Buffer
}

/**
 * Re-encrypts a sealed text with the current key; returns it unchanged when no key opens it.
 * `isClear`: the text is not sealed yet.
 */
export type Reencrypt = (
  sealed: string,
  context: readonly string[],
  how?: { readonly isClear: boolean },
) => string

/** The message says what to do and does not contain the sealed text. */
export class SecretUnreadable extends Failure {
  constructor(cause?: unknown) {
    super(
      'conflict',
      'A stored secret can no longer be decrypted. Enter it again, or set ENCRYPTION_KEY to the key it was stored with.',
      { cause },
    )
  }
}

/** Undefined when no key opens the text. */
export function unlessUnreadable(open: () => string): string | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

interface EncryptionKey {
  readonly id: string
  readonly bytes: Buffer
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SEALED = /^v1\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/
const SEALED_VALUES = /"(v1\.[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22,})"/g

/** `keys`: the first one seals, all of them open. Each has 32 bytes in base64 or hex. */
export function createSecrets(keys: string): Secrets {
  const known = keys.split(',').map((text) => keyOf(text.trim()))
  const [current] = known as [EncryptionKey, ...EncryptionKey[]]
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(associatedData(context))
      const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${current.id}.${nonce.toString('base64url')}.${data.toString('base64url')}`
    },
    open(sealed, context) {
      const [, id, nonce, data] = SEALED.exec(sealed) ?? []
      const key = known.find((one) => one.id === id)
      if (!key) throw new SecretUnreadable()
      const bytes = Buffer.from(data!, 'base64url')
      try {
        const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(nonce!, 'base64url'), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(associatedData(context))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const opened = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]
        return Buffer.concat(opened).toString('utf8')
      } catch (error) {
        throw new SecretUnreadable(error)
      }
    },
    isCurrent: (sealed) => SEALED.exec(sealed)?.[1] === current.id,
    fingerprint: (text, context) =>
      createHmac('sha256', current.bytes)
        .update('fingerprint')
        .update(associatedData([...context, text]))
        .digest(),
  }
}

/** The sealed texts in a JSON value. */
export const sealedIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(SEALED_VALUES)].map(([, sealed]) => sealed!)

/** A new key in the format of ENCRYPTION_KEY. */
export const newEncryptionKey = (): string => randomBytes(KEY_BYTES).toString('base64')

function keyOf(text: string): EncryptionKey {
  const hex = /^[0-9a-f]{64}$/i.test(text)
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
  const bytes = Buffer.from(text, hex ? 'hex' : 'base64')
  if (!(hex || base64) || bytes.length !== KEY_BYTES) {
    throw new StartupFailure(
      'ENCRYPTION_KEY: each key must be 32 bytes as base64 or hex; generate one with openssl rand -base64 32.',
    )
  }
  const id = createHash('sha256').update('key id').update(bytes).digest('base64url').slice(0, 8)
  return { id, bytes }
}

/** Length-prefixed, so that no two contexts encode the same. */
const associatedData = (context: readonly string[]): Buffer =>
  Buffer.from(context.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
