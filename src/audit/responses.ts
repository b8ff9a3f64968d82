import type { KeyFacts } from '../keys/key.ts'
import type { Caller, CallerOrganization } from '../operation.ts'
import { csvText, escapeFormula } from '../platform/csv-text.ts'
import type { AuditEntry } from './entry.ts'
import type { AuditLog, ShownEntry } from './schemas.ts'

export interface AuditReader {
  readonly caller: Pick<Caller, 'role' | 'parentRole'>
  readonly organization: Pick<CallerOrganization, 'id' | 'parent'>
}

/** Where the caller's permission comes from, as far as an organization knows. */
function originOf(
  { details: { role, identity } }: AuditEntry,
  key: KeyFacts | undefined,
  { id, parent }: AuditReader['organization'],
): 'own' | 'parent' | 'elsewhere' | 'operator' {
  if (role === 'operator') return 'operator'
  if (identity) return identity.isOwn ? 'own' : 'parent'
  if (!key) return 'operator'
  if (key.organization === id) return 'own'
  return key.organization === parent ? 'parent' : 'elsewhere'
}

/**
 * Which details of a caller the reader may see. Operators see all. Others see neither the address
 * nor the key's name of an operator or, unless they administer the parent, of a caller from there.
 * They see no name of a key from elsewhere.
 */
function visibleTo(entry: AuditEntry, key: KeyFacts | undefined, reader: AuditReader) {
  const { role, parentRole } = reader.caller
  const origin = originOf(entry, key, reader.organization)
  const isBelow = origin === 'operator' || (origin === 'parent' && parentRole !== 'administrator')
  const tellsAddress = role === 'operator' || !isBelow
  return {
    address: tellsAddress,
    name: tellsAddress && (role === 'operator' || origin !== 'elsewhere'),
  }
}

/** An entry as its reader may see it. `key` is the key of the caller, if known. */
export function shownEntry(
  entry: AuditEntry,
  key: KeyFacts | undefined,
  reader: AuditReader,
): ShownEntry {
  const visible = visibleTo(entry, key, reader)
  const { details } = entry
  const { issuer, subject } = details.identity ?? {}
  return {
    id: entry.id,
    time: entry.time,
    operation: entry.operation,
    outcome: entry.outcome,
    reads: entry.reads,
    actor: {
      username: entry.username,
      role: details.role,
      keyId: entry.keyId,
      keyName: visible.name ? (key?.name ?? null) : null,
      identity: visible.name && issuer && subject ? { issuer, subject } : null,
      userToken: details.userToken,
    },
    address: visible.address ? details.address : null,
    userAgent: visible.address ? details.userAgent : null,
    requestId: entry.requestId,
    target: {
      type: entry.target,
      id: entry.targetId,
      name: details.name,
      catalog: details.catalog,
    },
    changes: [...details.changes],
    moreChanges: details.more,
    secretShown: details.secret,
  }
}

const COLUMNS = [
  ...['id', 'time', 'operation', 'outcome', 'reads', 'username', 'role', 'keyId', 'keyName'],
  ...[
    'issuer',
    'subject',
    'userToken',
    'address',
    'userAgent',
    'requestId',
    'target',
    'targetId',
    'targetName',
  ],
  ...['catalog', 'changes', 'secretShown'],
]

/** A page as a table, a row for each entry. */
export const auditTable = ({ items }: AuditLog): string =>
  [COLUMNS, ...items.map(rowOf)].map((cells) => csvText(cells)).join('')

function rowOf({ actor, target, ...entry }: ShownEntry): string[] {
  const more = entry.moreChanges > 0 ? [`and ${entry.moreChanges} more`] : []
  const cells = [
    ...[entry.id, entry.time, entry.operation, entry.outcome, String(entry.reads)],
    ...[actor.username, actor.role, actor.keyId, actor.keyName],
    ...[actor.identity?.issuer, actor.identity?.subject, actor.userToken],
    ...[entry.address, entry.userAgent, entry.requestId],
    ...[target.type, target.id, target.name, target.catalog],
    [...entry.changes.map(changeText), ...more].join('; '),
    String(entry.secretShown),
  ]
  return cells.map((cell) => escapeFormula(cell ?? ''))
}

const changeText = ({ field, from, to }: ShownEntry['changes'][number]): string =>
  to === undefined ? field : `${field}: ${from ?? '(none)'} → ${to ?? '(none)'}`
