import { createCatalog } from '../catalogs/writes.ts'
import { Conflict, ignoring } from '../errors.ts'
import type { CallerContext, Context, Services } from '../operation.ts'
import { addOrganization } from '../organizations/create.ts'
import type { Organization } from '../organizations/organization.ts'
import { currentOrganization } from '../organizations/store.ts'
import { changeOrganization } from '../organizations/writer.ts'

export const DEMO = 'demo'
export const SHOPPER = 'demo-shopper'
const ADMINISTRATOR = 'demo-admin'

/**
 * Marks our organization, in case somebody else called one demo, and records what was loaded into
 * it.
 */
const MARK = 'demo-catalog'
const DEADLINE_MS = 10_000
/** Ignores a conflict, since another instance may have been faster. */
const unlessFaster = ignoring(Conflict)

const request = (services: Services) => ({
  ...services,
  requestId: crypto.randomUUID(),
  signal: AbortSignal.timeout(DEADLINE_MS),
})

const caller = {
  username: ADMINISTRATOR,
  parentRole: null,
  keyId: DEMO,
  keyType: 'full',
  origins: null,
} as const

/** The context of an operator's request without an organization. */
const asOperator = (services: Services): CallerContext => ({
  ...request(services),
  caller: { ...caller, role: 'operator', boundTo: null },
  organization: null,
})

/** The context of a request of the demo's administrator. */
export const asAdministrator = (services: Services): Context => ({
  ...request(services),
  caller: { ...caller, role: 'administrator', boundTo: DEMO },
  organization: {
    id: DEMO,
    name: DEMO,
    parent: null,
    defaultCatalog: DEMO,
    catalogLimit: null,
    credits: null,
  },
})

/**
 * Creates the organization and its catalog if needed, and returns the edition of the demo that it
 * has: '' before the first one was loaded, undefined if `demo` belongs to somebody else.
 */
export async function openDemo(services: Services): Promise<string | undefined> {
  if (!(await currentOrganization(services, DEMO))) {
    await addOrganization(asOperator(services), newOrganization).catch(unlessFaster)
  }
  const edition = editionOf((await currentOrganization(services, DEMO))!)
  if (edition !== '') return edition
  await createCatalog(asAdministrator(services), newCatalog).catch(unlessFaster)
  await changeOrganization(asOperator(services), DEMO, (organization) => ({
    ...organization,
    defaultCatalog: DEMO,
  }))
  return edition
}

/** Remembers what was loaded, so that later starts leave it alone. */
export async function markLoaded(services: Services, edition: string): Promise<void> {
  await changeOrganization(asOperator(services), DEMO, (organization) => ({
    ...organization,
    configurations: [
      ...organization.configurations.filter(({ name }) => name !== MARK),
      mark(edition),
    ],
  }))
}

const editionOf = ({ configurations }: Organization): string | undefined => {
  const found = configurations.find(({ name }) => name === MARK)
  return found && (found.defaultValue ?? '')
}

const mark = (edition: string) => ({
  name: MARK,
  description: 'The demo that was loaded here. Without this entry a start leaves all as it is.',
  defaultValue: edition,
  protected: false,
  dataType: 'string',
})

const newOrganization = {
  id: DEMO,
  name: 'Demo (synthetic data)',
  defaultCatalog: undefined,
  logo: undefined,
  configurations: [mark('')],
  users: [
    { username: ADMINISTRATOR, role: 'administrator', firstName: 'Demo', lastName: 'Admin' },
    { username: 'demo-editor', role: 'editor', firstName: 'Demo', lastName: 'Editor' },
    { username: SHOPPER, role: 'viewer', firstName: 'Demo', lastName: 'Shopper' },
  ],
} satisfies Parameters<typeof addOrganization>[1]

const newCatalog = {
  name: DEMO,
  description:
    'Synthetic data for trying things out: products, manufacturers, vendors and prices are made up.',
} satisfies Parameters<typeof createCatalog>[1]
