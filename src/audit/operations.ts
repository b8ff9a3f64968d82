import { Forbidden } from '../errors.ts'
import { ALL_ORGANIZATIONS } from '../extensions/registrations.ts'
import { keysById } from '../keys/store.ts'
import { bothRevisions, type Context, operation } from '../operation.ts'
import { auditTable, shownEntry } from './responses.ts'
import { AuditLog, AuditQuery } from './schemas.ts'
import { readEntries } from './store.ts'

/** The owner of the requested log. Throws Forbidden. */
function ownerOf({ caller, organization }: Context, isOfAll: boolean): string {
  if (!isOfAll) return organization.id
  if (caller.role === 'operator') return ALL_ORGANIZATIONS
  throw new Forbidden(
    'allOrganizations: only an operator can read entries that belong to no organization',
  )
}

async function auditPage(
  ctx: Context,
  { pageSize, user: username, allOrganizations, format, ...filter }: AuditQuery,
): Promise<AuditLog> {
  // One entry more than the page has tells whether another page follows.
  const page = { ...filter, username, size: pageSize + 1 }
  const found = await readEntries(ctx, ownerOf(ctx, allOrganizations), page)
  const entries = found.slice(0, pageSize)
  const keys = await keysById(ctx, [...new Set(entries.map(({ keyId }) => keyId))])
  const items = entries.map((entry) => shownEntry(entry, keys.get(entry.keyId), ctx))
  return { items, ...(found.length > pageSize ? { after: entries.at(-1)!.id } : {}) }
}

export const auditOperations = [
  operation({
    name: 'Get Audit Log',
    summary:
      'Lists who created, changed and viewed keys, users, extensions and settings, newest first, in pages.',
    access: 'administrator',
    cost: 4,
    audit: { target: 'auditLog' },
    bindings: bothRevisions('GET', '/api/reporting/audit', {
      query: AuditQuery,
      answer: AuditLog,
      csv: auditTable,
    }),
    handle: (asked, ctx) => auditPage(ctx, asked),
  }),
]
