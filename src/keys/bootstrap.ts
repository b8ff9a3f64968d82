import { Conflict, ignoring, StartupFailure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { OPERATOR } from '../organizations/organization.ts'
import { retryWhileUnavailable } from '../platform/retry.ts'
import { type Key, newKey } from './key.ts'
import { couldBeKey, newSecret } from './key-text.ts'
import { createKey, hasOperator, markOperator, removeKey } from './store.ts'

/** What a header can carry: visible ASCII without spaces. */
const SENDABLE = /^[\x21-\x7e]{32,256}$/

/**
 * Ensures that an operator key exists. With `secret`, that key works from then on (unless it was
 * disabled). Without, one is generated if there was none, and returned this once. Safe when
 * instances start concurrently. Throws StartupFailure for an unusable secret.
 */
export async function bootstrapOperator(
  services: Services,
  secret: string | undefined,
): Promise<string | undefined> {
  if (secret !== undefined) checkSecret(secret)
  const patiently = <T>(work: () => Promise<T>) => retryWhileUnavailable(limits.startWaitMs, work)
  if (secret === undefined && (await patiently(() => hasOperator(services)))) return undefined
  const used = secret ?? newSecret('full')
  // Generated once, so that an attempt whose answer was lost is recognized.
  const key = operatorKey(services, used)
  const isFirst = await patiently(async () => {
    // The key is stored before the mark, so whoever marks first has a working key.
    await createKey(services, key).catch(ignoring(Conflict))
    return markOperator(services, key.id)
  })
  if (secret !== undefined) return undefined
  if (isFirst) return used
  await patiently(() => removeKey(services, key.hash))
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
      'BOOTSTRAP_API_KEY begins with aisle_ but is not a complete key: copy it again, or choose another value.',
    )
  }
}

const operatorKey = ({ clock }: Services, secret: string): Key =>
  newKey(secret, clock.now(), {
    name: 'first operator key',
    keyType: 'full',
    username: OPERATOR,
    reach: 'operator',
    organization: null,
    membership: null,
    origins: null,
    expires: null,
  })
