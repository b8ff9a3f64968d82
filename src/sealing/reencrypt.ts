import type { Delivery } from '../callbacks/delivery.ts'
import {
  type CallbackSecret,
  reencryptCallbackSecrets,
  SECRET_ID,
} from '../callbacks/signing-secrets.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { collection } from '../elastic/collection.ts'
import type { ScanOptions, Scoped } from '../elastic/scan.ts'
import type { StoredValues } from '../extensions/installation.ts'
import { type RegisteredExtension, reencryptRegistration } from '../extensions/registrations.ts'
import { reencryptValues } from '../extensions/stored-values.ts'
import type { Services } from '../operation.ts'
import { type Reencrypt, SecretUnreadable } from '../platform/secrets.ts'
import { reencryptSession, type Session } from '../punchout/session.ts'
import { reencryptAddress } from '../tasks/callback-address.ts'
import { scanRefreshed } from './scan-refreshed.ts'

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
  /** How they are scanned, if not by scope and id. */
  readonly scan?: Pick<ScanOptions, 'sort'>
  readonly idOf: (document: T) => string
  readonly reencryptDocument: (document: T, scope: string, reencrypt: Reencrypt) => T
}

const idOf = ({ id }: { readonly id: string }): string => id

const values: SecretDocuments<{ readonly id: string; readonly values: StoredValues }> = {
  kind: 'installations',
  idOf,
  reencryptDocument: reencryptValues,
}

const registrations: SecretDocuments<RegisteredExtension> = {
  kind: 'extensions',
  idOf,
  reencryptDocument: reencryptRegistration,
}

const callbackSecrets = (now: Date): SecretDocuments<CallbackSecret> => ({
  kind: 'callback-secrets',
  scan: { sort: ['scope'] },
  idOf: () => SECRET_ID,
  reencryptDocument: (document, scope, reencrypt) =>
    reencryptCallbackSecrets(document, { scope, now }, reencrypt),
})

const deliveries: SecretDocuments<Delivery> = {
  kind: 'callbacks',
  idOf,
  reencryptDocument: (delivery, organization, reencrypt) => ({
    ...delivery,
    url: reencryptAddress({ organization, ...delivery }, reencrypt),
  }),
}

const sessions: SecretDocuments<Session> = {
  kind: 'punchout',
  unscoped: true,
  idOf,
  reencryptDocument: (session, _scope, reencrypt) => reencryptSession(session, reencrypt),
}

const added = (a: ReencryptionCounts, b: ReencryptionCounts): ReencryptionCounts => ({
  anew: a.anew + b.anew,
  unreadable: a.unreadable + b.unreadable,
})
const none: ReencryptionCounts = { anew: 0, unreadable: 0 }

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
  return all.reduce(added)
}

const DOCUMENT_MS = 30_000

async function reencryptIndex<T extends object>(
  services: ReencryptServices,
  documents: SecretDocuments<T>,
): Promise<ReencryptionCounts> {
  const { kind, scan = {} } = documents
  let sum = none
  for await (const batch of scanRefreshed<T>(services.elastic, kind, scan)) {
    for (const one of batch) sum = added(sum, await reencryptOne(services, documents, one))
  }
  return sum
}

async function reencryptOne<T extends object>(
  { elastic, secrets }: ReencryptServices,
  { kind, unscoped = false, idOf, reencryptDocument }: SecretDocuments<T>,
  one: Scoped<T>,
): Promise<ReencryptionCounts> {
  const documents = collection<T>(elastic, { kind, scope: unscoped ? [] : [one.scope] })
  let counts = none
  const sealAnew = (found: T | undefined): T | undefined => {
    counts = none
    const reencrypt: Reencrypt = (text, where, { isClear } = { isClear: false }) => {
      if (secrets.isCurrent(text)) return text
      try {
        const next = secrets.seal(isClear ? text : secrets.open(text, where), where)
        counts = added(counts, { anew: 1, unreadable: 0 })
        return next
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error
        counts = added(counts, { anew: 0, unreadable: 1 })
        return text
      }
    }
    const next = found && reencryptDocument(found, one.scope, reencrypt)
    return counts.anew > 0 ? next : undefined
  }
  await changeDocument(documents, idOf(one), sealAnew, { signal: AbortSignal.timeout(DOCUMENT_MS) })
  return counts
}
