import { z } from 'zod'
import { Catalog } from '../catalogs/schemas.ts'
import { limits } from '../limits.ts'
import { CatalogName, PatchText } from '../shapes.ts'
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
export const SaveUserRequest = z.object({
  role: z
    .union([MemberRoleText, z.literal('')], `must be one of ${MEMBER_ROLES.join(', ')}`)
    .nullish(),
  firstName: PatchText(limits.nameLength),
  lastName: PatchText(limits.nameLength),
  sendNotification: z.boolean().nullish(),
})
export type SaveUserRequest = z.output<typeof SaveUserRequest>

const Configuration = z
  .object({
    name: z.string().trim().min(1).max(limits.nameLength),
    description: PatchText(limits.valueLength),
    defaultValue: PatchText(limits.valueLength),
    protected: z.boolean().nullish(),
    dataType: PatchText(limits.nameLength),
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
export const OrganizationUpdate = z.object({
  name: z.string().trim().min(1).max(limits.nameLength).optional(),
  defaultCatalog: z
    .union([CatalogName, z.literal('')])
    .nullish()
    .transform((name) => (name === undefined ? undefined : name || null)),
  logo: PatchText(limits.valueLength),
  configurations: Configurations,
  userLimit: Allowance,
  catalogLimit: Allowance,
  licensedUserCount: Allowance,
  searchCredits: Allowance,
  additionalCreditBundle: Allowance,
  additionalCreditCost: z.number().min(0).max(limits.allowance).nullish(),
})
export type OrganizationUpdate = z.output<typeof OrganizationUpdate>

const OrganizationIdText = z
  .string()
  .regex(
    ORGANIZATION_ID,
    'must have 1 to 64 lower-case letters, digits and hyphens and not begin with a hyphen',
  )

export const NewOrganization = OrganizationUpdate.extend({
  name: z.string().trim().min(1).max(limits.nameLength),
  id: z.union([OrganizationIdText, z.literal('')]).nullish(),
  parent: z.string().nullish(),
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
    ),
})
export type NewOrganization = z.output<typeof NewOrganization>

/** Organization 1.0; `parent`, `firstName` and `lastName` are additions. */
export const OrganizationAnswer = z
  .object({
    id: z.string(),
    name: z.string(),
    parent: z.string().nullable(),
    defaultCatalog: z.string().nullable(),
    logo: z.string().nullable(),
    catalogs: z.array(Catalog),
    configurations: z.array(
      z.object({
        name: z.string(),
        description: z.string().nullable(),
        defaultValue: z.string().nullable(),
        protected: z.boolean(),
        dataType: z.string().nullable(),
      }),
    ),
    users: z.array(
      z.object({
        username: z.string(),
        role: z.enum(MEMBER_ROLES),
        firstName: z.string().nullable(),
        lastName: z.string().nullable(),
      }),
    ),
    userLimit: z.number().nullable(),
    catalogLimit: z.number().nullable(),
    licensedUserCount: z.number(),
    searchCredits: z.number().nullable(),
    additionalCreditBundle: z.number(),
    additionalCreditCost: z.number(),
  })
  .meta({ id: 'Organization' })
export type OrganizationAnswer = z.infer<typeof OrganizationAnswer>

export const OrganizationsAnswer = z.object({
  organizations: z.array(OrganizationAnswer),
  total: z.number(),
})

/** 250 a page: a parent with all its children fits. */
export const OrganizationPaging = z
  .object({
    page: z.coerce.number().int().min(0).default(0),
    pageSize: z.coerce
      .number()
      .int()
      .min(0)
      .max(limits.pageSize)
      .default(0)
      .transform((size) => size || limits.pageSize),
  })
  .refine(({ page, pageSize }) => (page + 1) * pageSize <= limits.resultWindow, {
    path: ['page'],
    message: `lists no further than the first ${limits.resultWindow} organizations`,
  })

export const UserKey = z.object({ uname: Username })
