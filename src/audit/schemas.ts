import { z } from 'zod'
import { limits } from '../limits.ts'
import { AUDIT_TARGETS } from '../operation.ts'
import { OptionalText, pagingBy, QueryFlag, TimeOrDay } from '../shapes.ts'
import { OUTCOMES } from './entry.ts'

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .enum([...values, ''], `must be one of ${values.join(', ')}`)
    .optional()
    .transform((value) => (value || null) as T[number] | null)

export const AuditQuery = pagingBy(limits.defaultPageSize)
  .omit({ page: true })
  .extend({
    from: TimeOrDay('first'),
    to: TimeOrDay('last'),
    user: OptionalText(limits.nameLength).describe('Only what this user did.'),
    keyId: OptionalText(limits.idLength).describe(
      'Only what was done with this key, or one that it signed.',
    ),
    operation: OptionalText(limits.nameLength).describe(
      'Only calls of this operation, as `Generate API Key`.',
    ),
    target: oneOf(AUDIT_TARGETS).describe('Only what was done to such things.'),
    targetId: OptionalText(limits.idLength).describe('Only what was done to the thing of this id.'),
    outcome: oneOf(OUTCOMES).describe('Only calls that ended so.'),
    requestId: OptionalText(limits.idLength).describe('Only the request of this `x-request-id`.'),
    reads: QueryFlag(true).describe('false: without calls that changed nothing.'),
    after: z
      .union([z.uuidv7(), z.literal('')], 'must be the id of an entry')
      .optional()
      .transform((id) => id || null)
      .describe(
        '`after` of the page before, which is the id of its last entry; absent and empty: the first page.',
      ),
    allOrganizations: QueryFlag(false).describe(
      'true: what belongs to no organization, as the keys of operators; for operators.',
    ),
    format: z
      .enum(['json', 'csv', ''])
      .optional()
      .describe('`csv`: the page as a table for spreadsheets; `json` when absent.'),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'from is later than to',
    path: ['from'],
  })
export type AuditQuery = z.output<typeof AuditQuery>

const text = z.string().nullable()

const AuditEntry = z
  .object({
    id: z.string().describe('Of the entry.'),
    time: z.iso.datetime(),
    operation: z.string().describe('What was called.'),
    outcome: z
      .enum(OUTCOMES)
      .describe(
        '`refused`: the caller may not do this; `unknown`: it failed in a way that leaves open whether it was done.',
      ),
    reads: z.boolean().describe('true: nothing was changed, something was seen.'),
    actor: z
      .object({
        username: z.string(),
        role: z.string(),
        keyId: z
          .string()
          .describe('The key; of a signed key the one that signed it; `sign-in`: a token.'),
        keyName: text.describe('null: a token, or a key of another organization.'),
        identity: z
          .object({
            issuer: z.string().describe('Who made the token.'),
            subject: z.string().describe('What the issuer calls them.'),
          })
          .nullable()
          .describe('Who signed in by a token; null: by a key, or not told.'),
        userToken: text.describe('Who used a signed key, as its signer calls them; null: none.'),
      })
      .describe('Who called.'),
    address: text.describe(
      'Where the request came from, of IPv6 the network; null: not known, or of an operator or the parent.',
    ),
    userAgent: text.describe('What the client calls itself; null as `address`.'),
    requestId: z.string().describe('The `x-request-id` of the answer.'),
    target: z
      .object({
        type: z.enum(AUDIT_TARGETS).describe('What kind of thing.'),
        id: text.describe('null: not known, or a thing of which there is one.'),
        name: text.describe('What it was called.'),
        catalog: text.describe('In which catalog; null: in none.'),
      })
      .describe('What it was done to.'),
    changes: z
      .array(
        z.object({
          field: z.string(),
          from: text
            .optional()
            .describe('As it was; null: not there. Absent where no value is told.'),
          to: text.optional().describe('As it is; null: not there. Absent where no value is told.'),
        }),
      )
      .describe(`What was changed, up to ${limits.auditFields} fields.`),
    moreChanges: z.int().describe('Further fields that were changed.'),
    secretShown: z.boolean().describe('true: the answer had a new key or secret.'),
  })
  .meta({ id: 'AuditEntry', description: 'Who did what.' })
export type ShownEntry = z.infer<typeof AuditEntry>

export const AuditLog = z
  .object({
    items: z.array(AuditEntry).describe('Newest first.'),
    after: z.string().optional().describe('Where the next page begins; absent on the last one.'),
  })
  .describe('A page of the audit log.')
export type AuditLog = z.infer<typeof AuditLog>
