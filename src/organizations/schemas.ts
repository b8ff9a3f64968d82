import { z } from 'zod'
import { Catalog } from '../catalogs/schemas.ts'
import { limits } from '../limits.ts'
import { ROLES } from '../operation.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogName, PatchText, pagingBy, withDescriptionsOf } from '../shapes.ts'
import { MEMBER_ROLES, OPERATOR, ORGANIZATION_ID } from './organization.ts'

const Allowance = z.number().int().min(0).max(limits.allowance).nullish()

/** Letters of any script, digits and `._@+'-`: enough for names and mail addresses. */
export const Username = z
  .string()
  .min(1)
  .max(limits.nameLength)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._@+'-]*$/u,
    "must begin with a letter or digit and have only letters, digits and . _ @ + ' -",
  )
  .refine((name) => name.toLowerCase() !== OPERATOR, `${OPERATOR} is reserved`)

const MemberRoleText = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`)

/** SaveUserRequest 1.0. Absent, null and empty role: unchanged, for a new user `viewer`. */
export const SaveUserRequest = allowIgnoredFields(
  z.object({
    role: z
      .union([MemberRoleText, z.literal('')], `must be one of ${MEMBER_ROLES.join(', ')}`)
      .nullish()
      .describe('Absent, null and empty: as it is; a new user is a viewer.'),
    firstName: PatchText(limits.nameLength),
    lastName: PatchText(limits.nameLength),
    sendNotification: z
      .boolean()
      .nullish()
      .describe('true: the user is told by mail, where the name is a mail address.'),
  }),
  ['username'],
)
export type SaveUserRequest = z.output<typeof SaveUserRequest>

const Configuration = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(limits.nameLength)
      .describe(
        'Such as `punchoutCallbackHosts` or `manufacturerAliases`; those that Aisle does not know are kept and shown.',
      ),
    description: PatchText(limits.valueLength),
    defaultValue: PatchText(limits.valueLength).describe('The value; none where it is protected.'),
    protected: z
      .boolean()
      .nullish()
      .describe('true: a value is neither taken nor shown; false when absent.'),
    dataType: PatchText(limits.nameLength).describe('Kept and shown.'),
  })
  .refine(({ protected: hidden, defaultValue }) => !(hidden && defaultValue), {
    path: ['defaultValue'],
    message: 'values of protected configurations cannot be stored; leave it null',
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
    name: z.string().trim().min(1).max(limits.nameLength).optional(),
    defaultCatalog: z
      .union([CatalogName, z.literal('')])
      .nullish()
      .transform((name) => (name === undefined ? undefined : name || null))
      .describe('For requests that name no catalog; it must be there. null: that of the parent.'),
    logo: PatchText(limits.valueLength).describe('Kept and shown.'),
    configurations: Configurations.describe('Settings by name; the list replaces.'),
    userLimit: Allowance.describe(
      'Users that it may have; null: any number, of a child what its parent has. Set by an operator only.',
    ),
    catalogLimit: Allowance.describe(
      `Catalogs that it may have; null: any number up to ${limits.organizationCatalogs}. Set by an operator only.`,
    ),
    licensedUserCount: Allowance.describe(
      'Kept and shown; limits nothing. Set by an operator only.',
    ),
    searchCredits: Allowance.describe(
      'Searches in a month (UTC); null: any number, of a child what its parent has. Set by an operator only.',
    ),
    additionalCreditBundle: Allowance.describe(
      'Credits that are added when none is left; 0: none are, and searches are 402. Set by an operator only.',
    ),
    additionalCreditCost: z
      .number()
      .min(0)
      .max(limits.allowance)
      .nullish()
      .describe('What such a bundle costs, for Search Usage to tell. Set by an operator only.'),
  }),
  ['id', 'parent', 'role', 'catalogs', 'users'],
)
export type OrganizationUpdate = z.output<typeof OrganizationUpdate>

const OrganizationIdText = z
  .string()
  .regex(
    ORGANIZATION_ID,
    'must have 1 to 64 lower-case letters, digits and hyphens and not begin with a hyphen',
  )

export const NewOrganization = allowIgnoredFields(
  OrganizationUpdate.extend({
    name: z.string().trim().min(1).max(limits.nameLength),
    id: z
      .union([OrganizationIdText, z.literal('')])
      .nullish()
      .describe('Made from the name when absent.'),
    parent: z.string().nullish().describe('Id of the organization whose child it becomes.'),
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
      .describe('Its first users; Save User adds others.'),
  }),
  ['role', 'catalogs'],
)
export type NewOrganization = z.output<typeof NewOrganization>

/** Organization 1.0; `parent`, `role`, `firstName` and `lastName` are additions. */
export const OrganizationAnswer = z
  .object({
    id: z.string().describe('As `x-organization` takes it.'),
    name: z.string(),
    parent: z.string().nullable().describe('Id of the organization above it; null: none.'),
    role: z
      .enum(ROLES)
      .optional()
      .describe('What the caller is in it; Get Organization Details alone answers it.'),
    defaultCatalog: z
      .string()
      .nullable()
      .describe('For requests that name no catalog; null: that of the parent.'),
    logo: z.string().nullable().describe('Kept and shown.'),
    catalogs: z.array(Catalog).describe("Its own, without its parent's."),
    configurations: z
      .array(
        z.object({
          name: z.string().describe('Such as `punchoutCallbackHosts`.'),
          description: z.string().nullable(),
          defaultValue: z.string().nullable().describe('The value; null where it is protected.'),
          protected: z.boolean().describe('true: the value is neither taken nor shown.'),
          dataType: z.string().nullable().describe('Kept and shown.'),
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
        `Its own, without those of its parent; Get Organizations lists the first ${limits.listedUsers} of each.`,
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
    organizations: z.array(OrganizationAnswer).describe('In order of id.'),
    total: z.number().describe('How many the key reaches.'),
  })
  .describe('A page of organizations.')

/** 250 a page: a parent with all its children fits. */
export const OrganizationPaging = pagingBy(limits.pageSize).refine(
  ({ page, pageSize }) => (page + 1) * pageSize <= limits.resultWindow,
  {
    path: ['page'],
    message: `lists no further than the first ${limits.resultWindow} organizations`,
  },
)

export const UserKey = z.object({
  uname: Username.describe("Name of the user: letters of any script, digits and `._@+'-`."),
})
