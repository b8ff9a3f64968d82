import { changeDocument } from '../elastic/change-document.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { type Reencrypt, unlessUnreadable } from '../platform/secrets.ts'
import { newWebhookSecret } from '../platform/webhook-signature.ts'

/** The sealed secrets that sign an organization's callbacks. */
export interface CallbackSecret {
  readonly sealed: string
  /** Earlier secrets, newest first, which also sign until they expire. */
  readonly earlier: readonly { readonly sealed: string; readonly until: string }[]
}

export const SECRET_ID = 'secret'

const secretsOf = ({ elastic }: Services, organization: string): Collection<CallbackSecret> =>
  collection<CallbackSecret>(elastic, { kind: 'callback-secrets', scope: [organization] })

const secretContext = (organization: string) => [organization, 'callback-secret']

/**
 * The current signing secrets, newest first; the first one is generated on first use. Throws
 * SecretUnreadable when the newest cannot be opened.
 */
export async function signingSecrets(services: Services, organization: string): Promise<string[]> {
  const { secrets, clock } = services
  const first = {
    sealed: secrets.seal(newWebhookSecret(), secretContext(organization)),
    earlier: [],
  }
  const { sealed, earlier } = await changeDocument(
    secretsOf(services, organization),
    SECRET_ID,
    (kept) => kept ?? first,
    { signal: AbortSignal.timeout(limits.elasticMs) },
  )
  const now = clock.now().toISOString()
  const open = (one: string) => secrets.open(one, secretContext(organization))
  const newest = open(sealed)
  const others = earlier
    .filter(({ until }) => until > now)
    // When the key of one is lost, the newer ones sign alone.
    .map((one) => unlessUnreadable(() => open(one.sealed)))
    .filter((secret) => secret !== undefined)
  return [newest, ...others]
}

/** An organization's secrets, all re-encrypted, without the expired ones. */
export function reencryptCallbackSecrets(
  { sealed, earlier, ...rest }: CallbackSecret,
  { scope, now }: { readonly scope: string; readonly now: Date },
  reencrypt: Reencrypt,
): CallbackSecret {
  const one = (text: string) => reencrypt(text, secretContext(scope))
  const signing = earlier.filter(({ until }) => until > now.toISOString())
  return {
    ...rest,
    sealed: one(sealed),
    earlier: signing.map(({ sealed: text, until }) => ({ sealed: one(text), until })),
  }
}

/** Generates a new secret and returns it, this once. Recent secrets stay valid for some hours. */
export async function rotateSecret(ctx: Context): Promise<string> {
  const { organization, secrets, clock, signal } = ctx
  const secret = newWebhookSecret()
  const sealed = secrets.seal(secret, secretContext(organization.id))
  const rotated = (before: CallbackSecret | undefined): CallbackSecret => {
    const now = clock.now()
    const until = new Date(now.getTime() + limits.callbackSecretMs).toISOString()
    const earlier = (before ? [{ sealed: before.sealed, until }, ...before.earlier] : [])
      .filter((one) => one.until > now.toISOString())
      .slice(0, limits.callbackSecrets - 1)
    return { sealed, earlier }
  }
  await changeDocument(secretsOf(ctx, organization.id), SECRET_ID, rotated, { signal })
  return secret
}
