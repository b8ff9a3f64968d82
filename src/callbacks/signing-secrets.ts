import { type Collection, collection, type Stored } from '../elastic/collection.ts'
import { Conflict } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { conflictAsStale, retryWhileStale } from '../platform/retry.ts'
import { type Reencrypt, SecretUnreadable } from '../platform/secrets.ts'
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

const placeOf = (organization: string) => [organization, 'callback-secret']

/**
 * The current signing secrets, newest first; the first one is generated on first use. Throws
 * SecretUnreadable when the newest cannot be opened.
 */
export async function signingSecrets(services: Services, organization: string): Promise<string[]> {
  const { secrets, clock } = services
  const stored = await firstOf(services, organization)
  const now = clock.now().toISOString()
  const { sealed, earlier } = stored.source
  const open = (one: string) => secrets.open(one, placeOf(organization))
  const newest = open(sealed)
  const others = earlier
    .filter(({ until }) => until > now)
    .map((one) => opened(() => open(one.sealed)))
    .filter((secret) => secret !== undefined)
  return [newest, ...others]
}

/**
 * Undefined when the encryption key is lost: a new secret, generated because of that, then signs
 * alone.
 */
function opened(open: () => string): string | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

async function firstOf(services: Services, organization: string): Promise<Stored<CallbackSecret>> {
  const kept = secretsOf(services, organization)
  const sealed = services.secrets.seal(newWebhookSecret(), placeOf(organization))
  for (;;) {
    const found = await kept.get(SECRET_ID)
    if (found) return found
    try {
      return await kept.create(SECRET_ID, { sealed, earlier: [] })
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
  }
}

/** An organization's secrets, all sealed anew, without those whose time is over. */
export function reencryptCallbackSecrets(
  { sealed, earlier, ...rest }: CallbackSecret,
  { scope, now }: { readonly scope: string; readonly now: Date },
  reencrypt: Reencrypt,
): CallbackSecret {
  const one = (text: string) => reencrypt(text, placeOf(scope))
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
  const kept = secretsOf(ctx, organization.id)
  const secret = newWebhookSecret()
  const sealed = secrets.seal(secret, placeOf(organization.id))
  return retryWhileStale(signal, async () => {
    const found = await kept.get(SECRET_ID, { signal })
    if (!found) {
      await kept.create(SECRET_ID, { sealed, earlier: [] }, { signal }).catch(conflictAsStale)
      return secret
    }
    const now = clock.now()
    const until = new Date(now.getTime() + limits.callbackSecretMs).toISOString()
    const earlier = [{ sealed: found.source.sealed, until }, ...found.source.earlier]
      .filter((one) => one.until > now.toISOString())
      .slice(0, limits.callbackSecrets - 1)
    await kept.replace(SECRET_ID, { sealed, earlier }, found, { signal })
    return secret
  })
}
