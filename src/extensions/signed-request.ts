import type { Context } from '../operation.ts'
import type { OutboundRequest } from '../platform/outbound/request.ts'
import type { Steps } from '../platform/steps.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import type { Call, ExtensionCall, Manifest, OpenInstallation } from './contract.ts'
import { inTurnIfLarge, lengthOf } from './large-values.ts'

/** A remote extension: its base address and the secret that signs its calls. */
export interface Remote {
  readonly name: string
  readonly url: string
  /** The fields of its manifest. Values of protected ones are redacted in answers. */
  readonly fields: Manifest['fields']
  /** Opened for each call. Throws SecretUnreadable. */
  secret(): string
}

type SignedRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>

const shown = ({ id, organization, vendor, fields }: OpenInstallation) => ({
  id,
  organization,
  vendor,
  fields,
})

/** The signed request of one call. Large ones are made in turn. */
export function signedRequest(
  remote: Remote,
  name: ExtensionCall,
  { ctx, installed, request }: Call<unknown>,
): Promise<SignedRequest> {
  const content = { installation: shown(installed), request }
  return inTurnIfLarge(ctx, lengthOf(content), signing(ctx, remote, { name, content }))
}

function* signing(
  { clock }: Pick<Context, 'clock'>,
  { url, secret }: Remote,
  { name, content }: { name: ExtensionCall; content: object },
): Steps<SignedRequest> {
  const text = JSON.stringify(content)
  yield
  const body = Buffer.from(text)
  yield
  const message = { id: `call_${crypto.randomUUID()}`, body, now: clock.now() }
  return {
    url: `${url}/${name}`,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...webhookHeaders(message, [secret()]),
    },
    body,
  }
}
