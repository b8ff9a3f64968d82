import { z } from 'zod'
import { Catalog } from '../catalogs/schemas.ts'
import { limits } from '../limits.ts'
import { ROLES } from '../operation.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import {
  NullableText,
  NullishBoolean,
  PatchCatalogName,
  PatchText,
  pagingBy,
  RequiredExact,
  RequiredText,
  withDescriptionsOf,
} from '../shapes.ts'
import { MEMBER_ROLES, OPERATOR, ORGANIZATION_ID } from './organization.ts'

const Allowance = z.number().int().min(0).max(limits.allowance).nullish()

/** Letters of any script, digits and `._@+'-`: enough for names and mail addresses. */
export const Username = RequiredExact(limits.nameLength)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._@+'-]*$/u,
    "must begin with a letter or digit and contain only letters, digits and . _ @ + ' -",
  )
  .refine((name) => name.toLowerCase() !== OPERATOR, `${OPERATOR} is reserved`)

const MemberRoleText = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`)

/** SaveUserRequest 1.0. Absent, null and empty role: unchanged, for a new user `viewer`. */
export const SaveUserRequest = allowIgnoredFields(
  z.object({
    role: z
      .union([MemberRoleText, z.literal('')], `must be one of ${MEMBER_ROLES.join(', ')}`)
      .nullish()
      .describe(
        'Role of the user. If omitted, `null` or empty, the role is left unchanged, and a new user becomes a viewer.',
      ),
    firstName: PatchText(limits.nameLength),
    lastName: PatchText(limits.nameLength),
    sendNotification: NullishBoolean.describe(
      'Whether to notify the user by email, if the user name is an email address.',
    ),
  }),
  ['username'],
)
export type SaveUserRequest = z.output<typeof SaveUserRequest>

const Configuration = z
  .object({
    name: RequiredText(limits.nameLength).describe(
      'Name of the setting, such as `punchoutCallbackHosts` or `manufacturerAliases`. Settings unknown to Aisle are stored and returned.',
    ),
    description: PatchText(limits.valueLength),
    defaultValue: PatchText(limits.valueLength).describe(
      'Value of the setting. Must be empty if it is protected.',
    ),
    protected: NullishBoolean.describe(
      'Whether the value is neither accepted nor returned. Defaults to `false`.',
    ),
    dataType: PatchText(limits.nameLength).describe('Stored and returned without effect.'),
  })
  .refine(({ protected: hidden, defaultValue }) => !(hidden && defaultValue), {
    path: ['defaultValue'],
    message: 'protected configurations cannot have a value; omit it',
  })

const Configurations = z
  .array(Configuration)
  .max(limits.organizationConfigurations)
  .nullish()
  .refine(
    (all) => !all || new Set(all.map(({ name }) => name)).size === all.length,
    'two configurations have the same name',
  )

/** Organization 1.0 as a request: what an update may change. */
export const OrganizationUpdate = allowIgnoredFields(
  z.object({
    name: RequiredText(limits.nameLength).optional(),
    defaultCatalog: PatchCatalogName.describe(
      'Catalog for requests that name none. It must exist. `null` means the default catalog of the parent.',
    ),
    logo: PatchText(limits.valueLength).describe('Stored and returned without effect.'),
    configurations: Configurations.describe(
      'Settings by name. The list replaces the previous one.',
    ),
    userLimit: Allowance.describe(
      'Maximum number of users. `null` means unlimited or, in a sub-organization, the limit of its parent. Can be set only by operators.',
    ),
    catalogLimit: Allowance.describe(
      `Maximum number of catalogs. \`null\` means the general limit of ${limits.organizationCatalogs}. Can be set only by operators.`,
    ),
    licensedUserCount: Allowance.describe(
      'Stored and returned without effect. Can be set only by operators.',
    ),
    searchCredits: Allowance.describe(
      'Searches per calendar month (UTC). `null` means unlimited or, in a sub-organization, those of its parent. Can be set only by operators.',
    ),
    additionalCreditBundle: Allowance.describe(
      'Number of credits added when none are left. If 0, none are added and searches fail with 402. Can be set only by operators.',
    ),
    additionalCreditCost: z
      .number()
      .min(0)
      .max(limits.allowance)
      .nullish()
      .describe(
        'Cost of a credit bundle, as reported by Search Usage. Can be set only by operators.',
      ),
  }),
  ['id', 'parent', 'role', 'catalogs', 'users'],
)
export type OrganizationUpdate = z.output<typeof OrganizationUpdate>

const OrganizationIdText = z
  .string()
  .regex(
    ORGANIZATION_ID,
    'must have 1 to 64 lower-case letters, digits and hyphens, and not begin with a hyphen',
  )

export const NewOrganization = allowIgnoredFields(
  OrganizationUpdate.extend({
    name: RequiredText(limits.nameLength),
    id: z
      .union([OrganizationIdText, z.literal('')])
      .nullish()
      .describe('Id of the organization. Defaults to an id derived from its name.'),
    parent: z.string().nullish().describe('Id of the parent organization.'),
    users: z
      .array(
        z.object({
          username: Username,
          role: MemberRoleText,
          firstName: PatchText(limits.nameLength),
          lastName: PatchText(limits.nameLength),
        }),
      )
      .max(limits.idsPerRequest)
      .nullish()
      .refine(
        (all) => !all || new Set(all.map(({ username }) => username)).size === all.length,
        'a user is listed twice',
      )
      .describe('The first users. Save User to Organization adds more.'),
  }),
  ['role', 'catalogs'],
)
export type NewOrganization = z.output<typeof NewOrganization>

/** Organization 1.0; `parent`, `role`, `firstName` and `lastName` are additions. */
export const OrganizationAnswer = z
  .object({
    id: z.string().describe('Id of the organization, as used in `x-organization`.'),
    name: z.string(),
    parent: NullableText.describe('Id of the parent organization. `null` if there is none.'),
    role: z
      .enum(ROLES)
      .optional()
      .describe(
        'Role of the caller in the organization. Returned only by Get Organization Details.',
      ),
    defaultCatalog: NullableText.describe(
      'Catalog for requests that name none. `null` means the default catalog of the parent.',
    ),
    logo: NullableText.describe('Stored and returned without effect.'),
    catalogs: z
      .array(Catalog)
      .describe('Catalogs of the organization itself, without those of its parent.'),
    configurations: z
      .array(
        z.object({
          name: z.string().describe('Name of the setting, such as `punchoutCallbackHosts`.'),
          description: z.string().nullable(),
          defaultValue: NullableText.describe('Value of the setting. `null` if it is protected.'),
          protected: z.boolean().describe('Whether the value is neither accepted nor returned.'),
          dataType: NullableText.describe('Stored and returned without effect.'),
        }),
      )
      .describe('Settings by name.'),
    users: z
      .array(
        z.object({
          username: z.string(),
          role: z.enum(MEMBER_ROLES),
          firstName: z.string().nullable(),
          lastName: z.string().nullable(),
        }),
      )
      .describe(
        `Users of the organization itself, without those of its parent. Get Organizations lists only the first ${limits.listedUsers} of each organization.`,
      ),
    ...withDescriptionsOf(OrganizationUpdate.shape, {
      userLimit: z.number().nullable(),
      catalogLimit: z.number().nullable(),
      licensedUserCount: z.number(),
      searchCredits: z.number().nullable(),
      additionalCreditBundle: z.number(),
      additionalCreditCost: z.number(),
    }),
  })
  .meta({ id: 'Organization', description: 'An organization.' })
export type OrganizationAnswer = z.infer<typeof OrganizationAnswer>

export const OrganizationsAnswer = z
  .object({
    organizations: z.array(OrganizationAnswer).describe('Organizations, sorted by id.'),
    total: z.number().describe('Number of organizations that the key has access to.'),
  })
  .describe('A page of organizations.')

/** 250 a page: a parent with all its children fits. */
export const OrganizationPaging = pagingBy(limits.pageSize).refine(
  ({ page, pageSize }) => (page + 1) * pageSize <= limits.resultWindow,
  {
    path: ['page'],
    message: `the list has only the first ${limits.resultWindow} organizations`,
  },
)

export const UserKey = z.object({
  uname: Username.describe(
    "Name of the user, which can contain letters of any script, digits and `._@+'-`.",
  ),
})
