import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { checkWebhookSecret, webhookHeaders } from '../../../src/platform/webhook-signature.ts'

const secret = () => `whsec_${randomBytes(24).toString('base64')}`
const message = { id: 'msg_1', body: '{"name":"Bügeleisen"}', now: new Date() }

describe('the signature of a webhook', () => {
  test('is accepted by an independent verifier, for each of several secrets', () => {
    const [now, before] = [secret(), secret()]
    const headers = webhookHeaders(message, [now, before])
    for (const one of [now, before, now.replace('whsec_', '')]) {
      expect(new Webhook(one).verify(message.body, headers)).toEqual({ name: 'Bügeleisen' })
    }
  })

  test('is refused for another secret, body or id', () => {
    const own = secret()
    const headers = webhookHeaders(message, [own])
    const verifier = new Webhook(own)
    expect(() => new Webhook(secret()).verify(message.body, headers)).toThrow()
    expect(() => verifier.verify(`${message.body} `, headers)).toThrow()
    expect(() => verifier.verify(message.body, { ...headers, 'webhook-id': 'msg_2' })).toThrow()
  })

  test.each(['', 'whsec_', 'short', 'not base64 at all, but long enough', 'x'.repeat(200)])(
    'cannot be made with the secret %j',
    (text) => {
      expect(() => checkWebhookSecret(text, 'secret')).toThrow(/^secret: /)
    },
  )
})
