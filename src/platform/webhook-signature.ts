import { createHmac, randomBytes } from 'node:crypto'
import { Invalid } from '../errors.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const SECRET = /^[A-Za-z0-9+/]{22,128}={0,2}$/

export interface Message {
  /** Identical on each retry. */
  readonly id: string
  readonly body: string | Uint8Array
  readonly now: Date
}

/** Standard Webhooks headers for a message, with one signature per secret. Throws Invalid. */
export function webhookHeaders({ id, body, now }: Message, secrets: readonly string[]) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const signed = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${signed.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** A new Standard Webhooks secret. */
export const newWebhookSecret = (): string =>
  `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** Throws Invalid, naming `place`, for text that is not a Standard Webhooks secret. */
export function checkWebhookSecret(secret: string, place: string): void {
  if (SECRET.test(bare(secret))) return
  throw new Invalid(`${place}: expected whsec_ and at least 16 bytes as base64`)
}

function keyOf(secret: string): Buffer {
  checkWebhookSecret(secret, 'secret')
  return Buffer.from(bare(secret), 'base64')
}

const bare = (secret: string): string =>
  secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
