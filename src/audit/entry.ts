import { v7 as uuidv7 } from 'uuid'
import { limits } from '../limits.ts'
import type {
  Audit,
  AuditTarget,
  CallerContext,
  ChangeNote,
  Identity,
  Operation,
} from '../operation.ts'
import type { Steps } from '../platform/steps.ts'
import { cut } from '../text.ts'
import { type Changes, changesBetween } from './changes.ts'

/** `unknown`: it failed in a way that leaves open whether it was done. */
export const OUTCOMES = ['done', 'refused', 'unknown'] as const
type AuditOutcome = (typeof OUTCOMES)[number]

/** One entry of an organization's audit log. */
export interface AuditEntry {
  /** UUIDv7: its time is the entry's. */
  readonly id: string
  readonly time: string
  readonly operation: string
  readonly outcome: AuditOutcome
  /** Whether data was only read. */
  readonly reads: boolean
  readonly username: string
  readonly keyId: string
  readonly target: AuditTarget
  readonly targetId: string | null
  readonly requestId: string
  /** Fields that are not searched. */
  readonly details: AuditDetails
}

interface SignedIn extends Pick<Identity, 'issuer' | 'subject'> {
  /** Whether the token gives a role in the organization itself, not in its parent. */
  readonly isOwn: boolean
}

interface AuditDetails extends Changes {
  readonly role: string
  /** The user of a signed key, as its signer names them. */
  readonly userToken: string | null
  /** The person who signed in by a token; absent for a key. */
  readonly identity?: SignedIn
  /** One text for all addresses of a client. */
  readonly address: string | null
  readonly userAgent: string | null
  /** The name of the target. */
  readonly name: string | null
  readonly catalog: string | null
  /** Whether the answer showed a secret. */
  readonly secret: boolean
}

export interface AuditedOutcome {
  readonly outcome: AuditOutcome
  /** The input of the operation; absent if it was not read. */
  readonly input?: object
  readonly output?: unknown
  readonly note?: ChangeNote
}

export type AuditedOperation = Pick<Operation, 'name' | 'audit' | 'reads' | 'bindings'>

/** Whether an operation changes nothing. */
export const isRead = ({ audit, reads, bindings }: AuditedOperation): boolean =>
  audit?.reads ?? reads ?? Object.values(bindings).every(({ method }) => method === 'GET')

/** The entry of a call of an audited operation. */
export function* entryOf(
  operation: AuditedOperation,
  { caller, organization, sender, requestId, clock }: CallerContext,
  { outcome, input, output, note = {} }: AuditedOutcome,
): Steps<AuditEntry> {
  const audit = operation.audit as Audit<object, unknown>
  const now = clock.now()
  const part = (noted: object | undefined) =>
    noted && audit.part && input ? audit.part(noted, input) : noted
  const [before, after] = [part(note.before), part(note.after)]
  const named = after ?? before ?? {}
  return {
    id: uuidv7({ msecs: now.getTime() }),
    time: now.toISOString(),
    operation: operation.name,
    outcome,
    reads: isRead(operation),
    username: caller.username,
    keyId: caller.keyId,
    target: audit.target,
    targetId: shortened((input && audit.id?.(input)) ?? textIn(output, 'id'), limits.idLength),
    requestId,
    details: {
      role: caller.role,
      userToken: caller.userToken ?? null,
      ...(caller.identity
        ? { identity: signedIn(caller.identity, note.owner ?? organization?.id) }
        : {}),
      address: sender?.address ?? null,
      userAgent: shortened(sender?.agent, limits.auditNameLength),
      name: shortened(input && audit.name?.(named, input), limits.auditNameLength),
      catalog: textIn(input, 'catalog'),
      secret: outcome === 'done' && (audit.secret?.(output) ?? false),
      ...(yield* changesBetween(before, after, audit.values ?? [])),
    },
  }
}

const signedIn = (
  { issuer, subject, organizations }: Identity,
  owner: string | undefined,
): SignedIn => ({
  issuer,
  subject,
  isOwn: owner !== undefined && organizations.includes(owner),
})

const shortened = (text: string | null | undefined, max: number): string | null =>
  text ? cut(text.toWellFormed(), max) : null

/** A text among the fields of an input or output. */
function textIn(fields: unknown, name: string): string | null {
  const value = (fields as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value : null
}
