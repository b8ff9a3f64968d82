import type { Delivery } from '../callbacks/delivery.ts'
import { type CallbackSecret, callbackSecretSealedAnew, SECRET_ID } from '../callbacks/secret.ts'
import { collection } from '../elastic/collection.ts'
import { everywhere, type Scoped } from '../elastic/everywhere.ts'
import { currentIndex } from '../elastic/indices.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import type { StoredValues } from '../extensions/installation.ts'
import { type Registered, registeredSealedAnew } from '../extensions/registered.ts'
import { valuesSealedAnew } from '../extensions/values.ts'
import type { Services } from '../operation.ts'
import { whileStale } from '../platform/retry.ts'
import { type SealAnew, type Secrets, SecretUnreadable } from '../platform/secrets.ts'
import { type Session, sessionSealedAnew } from '../punchout/session.ts'
import { addressSealedAnew } from '../tasks/callback-address.ts'

export type Keeping = Pick<Services, 'elastic' | 'secrets' | 'clock'>

/** Counts of re-encrypted and unreadable secrets. */
export interface Sealed {
  /** Re-encrypted: sealed by an earlier key before, by the first one now. */
  readonly anew: number
  /** Sealed by an unknown key; they stay as they are. */
  readonly unreadable: number
}

/** The documents of one index that hold secrets. */
interface Kept<T> {
  readonly kind: string
  /** Their ids are unique across organizations. */
  readonly unscoped?: boolean
  readonly sort: readonly string[]
  readonly idOf: (document: T) => string
  readonly sealedAnew: (document: T, scope: string, anew: SealAnew) => T
}

interface Values {
  readonly id: string
  readonly values: StoredValues
}

const values: Kept<Values> = {
  kind: 'installations',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  sealedAnew: valuesSealedAnew,
}

const registrations: Kept<Registered> = {
  kind: 'extensions',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  sealedAnew: registeredSealedAnew,
}

const callbackSecrets = (now: Date): Kept<CallbackSecret> => ({
  kind: 'callback-secrets',
  sort: ['scope'],
  idOf: () => SECRET_ID,
  sealedAnew: (document, scope, anew) => callbackSecretSealedAnew(document, { scope, now }, anew),
})

const deliveries: Kept<Delivery> = {
  kind: 'callbacks',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  sealedAnew: (delivery, organization, anew) => ({
    ...delivery,
    url: addressSealedAnew({ organization, ...delivery }, anew),
  }),
}

const sessions: Kept<Session> = {
  kind: 'punchout',
  unscoped: true,
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  sealedAnew: (session, _scope, anew) => sessionSealedAnew(session, anew),
}

/**
 * Re-encrypts secrets of all organizations with the first key, so that the other keys are no longer
 * needed. Each write is conditional, so that it may be repeated and run beside services with the
 * same keys.
 */
export async function sealAnew(services: Keeping): Promise<Sealed> {
  const all = [
    await sealKept(services, values),
    await sealKept(services, registrations),
    await sealKept(services, callbackSecrets(services.clock.now())),
    await sealKept(services, deliveries),
    await sealKept(services, sessions),
  ]
  return {
    anew: all.reduce((sum, { anew }) => sum + anew, 0),
    unreadable: all.reduce((sum, { unreadable }) => sum + unreadable, 0),
  }
}

const DOCUMENT_MS = 30_000

async function sealKept<T extends object>(
  { elastic, secrets }: Keeping,
  { kind, unscoped = false, sort, idOf, sealedAnew }: Kept<T>,
): Promise<Sealed> {
  const sum = { anew: 0, unreadable: 0 }
  if ((await currentIndex(elastic, elastic.indexName(kind))) === undefined) return sum
  await refreshIndex(elastic, kind)
  for await (const batch of everywhere<T>(elastic, kind, { sort })) {
    for (const one of batch) {
      const { anew, unreadable } = await sealOne(one)
      sum.anew += anew
      sum.unreadable += unreadable
    }
  }
  return sum

  function sealOne(one: Scoped<T>): Promise<Sealed> {
    const documents = collection<T>(elastic, { kind, scope: unscoped ? [] : [one.scope] })
    const id = idOf(one)
    return whileStale(AbortSignal.timeout(DOCUMENT_MS), async () => {
      const found = await documents.get(id)
      const counted = counting(secrets)
      if (!found) return counted.sealed
      const next = sealedAnew(found.source, one.scope, counted.anew)
      if (counted.sealed.anew > 0) await documents.replace(id, next, found)
      return counted.sealed
    })
  }
}

/** Re-encrypts and counts the results. */
function counting(secrets: Secrets) {
  const sealed = { anew: 0, unreadable: 0 }
  const anew: SealAnew = (text, where, { isClear } = { isClear: false }) => {
    if (secrets.isCurrent(text)) return text
    try {
      const next = secrets.seal(isClear ? text : secrets.open(text, where), where)
      sealed.anew++
      return next
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      sealed.unreadable++
      return text
    }
  }
  return { sealed, anew }
}
