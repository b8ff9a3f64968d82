import { z } from 'zod'
import { limits } from '../limits.ts'
import { AUDIT_TARGETS } from '../operation.ts'
import { NullableText, OptionalText, pagingBy, QueryFlag, TimeOrDay } from '../shapes.ts'
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
    user: OptionalText(limits.nameLength).describe('Restricts the log to actions of this user.'),
    keyId: OptionalText(limits.idLength).describe(
      'Restricts the log to actions with this key or with keys signed by it.',
    ),
    operation: OptionalText(limits.nameLength).describe(
      'Restricts the log to this operation, such as `Generate API Key`.',
    ),
    target: oneOf(AUDIT_TARGETS).describe('Restricts the log to targets of this type.'),
    targetId: OptionalText(limits.idLength).describe(
      'Restricts the log to the target with this id.',
    ),
    outcome: oneOf(OUTCOMES).describe('Restricts the log to calls with this outcome.'),
    requestId: OptionalText(limits.idLength).describe(
      'Restricts the log to the request with this `x-request-id`.',
    ),
    reads: QueryFlag(true).describe(
      'Whether to include calls that changed nothing. Defaults to `true`.',
    ),
    after: z
      .union([z.uuidv7(), z.literal('')], 'must be the id of an entry')
      .optional()
      .transform((id) => id || null)
      .describe(
        'The `after` value of the previous page, which is the id of its last entry. Omit it to get the first page.',
      ),
    allOrganizations: QueryFlag(false).describe(
      'Whether to list entries that belong to no organization, such as those on operator keys. Only for operators.',
    ),
    format: z
      .enum(['json', 'csv', ''])
      .optional()
      .describe(
        'Response format. `csv` returns the page as a table for spreadsheets. Defaults to `json`.',
      ),
  })
  .refine(({ from, to }) => from === null || to === null || from <= to, {
    message: 'must not be after to',
    path: ['from'],
  })
export type AuditQuery = z.output<typeof AuditQuery>

const AuditEntry = z
  .object({
    id: z.string().describe('Id of the entry.'),
    time: z.iso.datetime(),
    operation: z.string().describe('Name of the operation that was called.'),
    outcome: z
      .enum(OUTCOMES)
      .describe(
        'Outcome of the call. `refused` means the caller lacks permission, and `unknown` that the call failed and may or may not have taken effect.',
      ),
    reads: z.boolean().describe('Whether the call only viewed data and changed nothing.'),
    actor: z
      .object({
        username: z.string(),
        role: z.string(),
        keyId: z
          .string()
          .describe(
            'Id of the key, or of the signing key if a signed key was used. `sign-in` if a token was used.',
          ),
        keyName: NullableText.describe(
          'Name of the key. `null` for tokens and for keys of another organization.',
        ),
        identity: z
          .object({
            issuer: z.string().describe('Issuer of the token.'),
            subject: z.string().describe('Id of the person at the issuer.'),
          })
          .nullable()
          .describe(
            'Identity of the person who signed in with a token. `null` if a key was used or the identity is not disclosed.',
          ),
        userToken: NullableText.describe(
          'Id of the visitor in a signed key, as chosen by the signer. `null` if there is none.',
        ),
      })
      .describe('The caller.'),
    address: NullableText.describe(
      'IP address of the client, or its network for IPv6. `null` if unknown, or if the caller is an operator or acts with a key of the parent organization.',
    ),
    userAgent: NullableText.describe(
      'User agent of the client. `null` in the same cases as `address`.',
    ),
    requestId: z.string().describe('The `x-request-id` of the response.'),
    target: z
      .object({
        type: z.enum(AUDIT_TARGETS).describe('Type of the target.'),
        id: NullableText.describe(
          'Id of the target. `null` if unknown, or if there is only one target of this type.',
        ),
        name: NullableText.describe('Name of the target.'),
        catalog: NullableText.describe(
          "Name of the target's catalog. `null` if it belongs to none.",
        ),
      })
      .describe('The object that the call affected.'),
    changes: z
      .array(
        z.object({
          field: z.string(),
          from: NullableText.optional().describe(
            'Previous value. `null` if the field was not set. Omitted if values of this field are not disclosed.',
          ),
          to: NullableText.optional().describe(
            'New value. `null` if the field is no longer set. Omitted if values of this field are not disclosed.',
          ),
        }),
      )
      .describe(`Fields that changed, up to ${limits.auditFields}.`),
    moreChanges: z.int().describe('Number of changed fields that are not listed in `changes`.'),
    secretShown: z.boolean().describe('Whether the response contained a new key or secret.'),
  })
  .meta({ id: 'AuditEntry', description: 'An entry of the audit log.' })
export type ShownEntry = z.infer<typeof AuditEntry>

export const AuditLog = z
  .object({
    items: z.array(AuditEntry).describe('Log entries, newest first.'),
    after: z.string().optional().describe('Cursor for the next page. Omitted on the last page.'),
  })
  .describe('A page of the audit log.')
export type AuditLog = z.infer<typeof AuditLog>
