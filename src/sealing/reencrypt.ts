import type { Delivery } from '../callbacks/delivery.ts'
import {
  type CallbackSecret,
  reencryptCallbackSecrets,
  SECRET_ID,
} from '../callbacks/signing-secrets.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { collection } from '../elastic/collection.ts'
import { currentIndex } from '../elastic/indices.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { type Scoped, scanAllScopes } from '../elastic/scan.ts'
import type { StoredValues } from '../extensions/installation.ts'
import { type RegisteredExtension, reencryptRegistration } from '../extensions/registrations.ts'
import { reencryptValues } from '../extensions/stored-values.ts'
import type { Services } from '../operation.ts'
import { type Reencrypt, type Secrets, SecretUnreadable } from '../platform/secrets.ts'
import { reencryptSession, type Session } from '../punchout/session.ts'
import { reencryptAddress } from '../tasks/callback-address.ts'

export type ReencryptServices = Pick<Services, 'elastic' | 'secrets' | 'clock'>

/** Counts of re-encrypted and unreadable secrets. */
export interface ReencryptionCounts {
  /** Re-encrypted: sealed by an earlier key before, by the first one now. */
  readonly anew: number
  /** Sealed by an unknown key; they stay as they are. */
  readonly unreadable: number
}

/** The documents of one index that hold secrets. */
interface SecretDocuments<T> {
  readonly kind: string
  /** Their ids are unique across organizations. */
  readonly unscoped?: boolean
  readonly sort: readonly string[]
  readonly idOf: (document: T) => string
  readonly reencryptDocument: (document: T, scope: string, reencrypt: Reencrypt) => T
}

interface ValuesDocument {
  readonly id: string
  readonly values: StoredValues
}

const values: SecretDocuments<ValuesDocument> = {
  kind: 'installations',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  reencryptDocument: reencryptValues,
}

const registrations: SecretDocuments<RegisteredExtension> = {
  kind: 'extensions',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  reencryptDocument: reencryptRegistration,
}

const callbackSecrets = (now: Date): SecretDocuments<CallbackSecret> => ({
  kind: 'callback-secrets',
  sort: ['scope'],
  idOf: () => SECRET_ID,
  reencryptDocument: (document, scope, reencrypt) =>
    reencryptCallbackSecrets(document, { scope, now }, reencrypt),
})

const deliveries: SecretDocuments<Delivery> = {
  kind: 'callbacks',
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  reencryptDocument: (delivery, organization, reencrypt) => ({
    ...delivery,
    url: reencryptAddress({ organization, ...delivery }, reencrypt),
  }),
}

const sessions: SecretDocuments<Session> = {
  kind: 'punchout',
  unscoped: true,
  sort: ['scope', 'id'],
  idOf: ({ id }) => id,
  reencryptDocument: (session, _scope, reencrypt) => reencryptSession(session, reencrypt),
}

/**
 * Re-encrypts secrets of all organizations with the first key, so that the other keys are no longer
 * needed. Each write is conditional, so that it may be repeated and run beside services with the
 * same keys.
 */
export async function reencryptAll(services: ReencryptServices): Promise<ReencryptionCounts> {
  const all = [
    await reencryptIndex(services, values),
    await reencryptIndex(services, registrations),
    await reencryptIndex(services, callbackSecrets(services.clock.now())),
    await reencryptIndex(services, deliveries),
    await reencryptIndex(services, sessions),
  ]
  return {
    anew: all.reduce((sum, { anew }) => sum + anew, 0),
    unreadable: all.reduce((sum, { unreadable }) => sum + unreadable, 0),
  }
}

const DOCUMENT_MS = 30_000

async function reencryptIndex<T extends object>(
  { elastic, secrets }: ReencryptServices,
  { kind, unscoped = false, sort, idOf, reencryptDocument }: SecretDocuments<T>,
): Promise<ReencryptionCounts> {
  const sum = { anew: 0, unreadable: 0 }
  if ((await currentIndex(elastic, elastic.indexName(kind))) === undefined) return sum
  await refreshIndex(elastic, kind)
  for await (const batch of scanAllScopes<T>(elastic, kind, { sort })) {
    for (const one of batch) {
      const { anew, unreadable } = await sealOne(one)
      sum.anew += anew
      sum.unreadable += unreadable
    }
  }
  return sum

  async function sealOne(one: Scoped<T>): Promise<ReencryptionCounts> {
    const documents = collection<T>(elastic, { kind, scope: unscoped ? [] : [one.scope] })
    let counts: ReencryptionCounts = { anew: 0, unreadable: 0 }
    const seal = (found: T | undefined): T | undefined => {
      const counted = countingReencrypt(secrets)
      const next = found && reencryptDocument(found, one.scope, counted.anew)
      counts = counted.sealed
      return counts.anew > 0 ? next : undefined
    }
    await changeDocument(documents, idOf(one), seal, { signal: AbortSignal.timeout(DOCUMENT_MS) })
    return counts
  }
}

/** Re-encrypts and counts the results. */
function countingReencrypt(secrets: Secrets) {
  const sealed = { anew: 0, unreadable: 0 }
  const reencrypt: Reencrypt = (text, where, { isClear } = { isClear: false }) => {
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
  return { sealed, anew: reencrypt }
}
