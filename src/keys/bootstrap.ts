import { Conflict, StartupFailure } from '../errors.ts'
import type { Services } from '../operation.ts'
import { OPERATOR } from '../organizations/organization.ts'
import type { Key } from './key.ts'
import { couldBeKey, hashOf, newSecret, prefixOf } from './secret.ts'
import { createKey, hasOperator, markOperator, removeKey } from './store.ts'

/** What a header carries: visible ASCII without spaces. */
const SENDABLE = /^[\x21-\x7e]{32,256}$/

/**
 * Makes the first operator key exist. With `secret`, that one works from then on (unless it was
 * disabled). Without, one is generated when there was none yet, and answered this once.
 * Safe when instances start at the same time. Throws StartupFailure for an unusable secret.
 */
export async function bootstrapOperator(
  services: Services,
  secret: string | undefined,
): Promise<string | undefined> {
  if (secret !== undefined) {
    checkSecret(secret)
    await ignoringConflict(createKey(services, operatorKey(services, secret)))
    await ignoringConflict(markOperator(services))
    return undefined
  }
  if (await hasOperator(services)) return undefined
  const generated = newSecret('full')
  const key = operatorKey(services, generated)
  // The key is stored before the mark: whoever marks first has a key that works.
  await createKey(services, key)
  if (await ignoringConflict(markOperator(services))) return generated
  await removeKey(services, key.hash)
  return undefined
}

function checkSecret(secret: string): void {
  if (!SENDABLE.test(secret)) {
    throw new StartupFailure(
      'BOOTSTRAP_API_KEY must have 32 to 256 characters: ASCII letters, digits and punctuation.',
    )
  }
  if (!couldBeKey(secret)) {
    throw new StartupFailure(
      'BOOTSTRAP_API_KEY begins with aisle_ but is no complete key: copy it again, or choose another text.',
    )
  }
}

function operatorKey({ clock }: Services, secret: string): Key {
  return {
    id: crypto.randomUUID(),
    hash: hashOf(secret),
    prefix: prefixOf(secret),
    name: 'first operator key',
    keyType: 'full',
    username: OPERATOR,
    reach: 'operator',
    organization: null,
    membership: null,
    origins: null,
    expires: null,
    enabled: true,
    created: clock.now().toISOString(),
  }
}

/** False when it existed already. */
async function ignoringConflict(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Conflict) return false
    throw error
  }
}
