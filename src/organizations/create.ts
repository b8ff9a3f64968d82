import { randomBytes } from 'node:crypto'
import { openCatalog } from '../catalogs/store.ts'
import { Conflict, Invalid, ignoring, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext } from '../operation.ts'
import { checkLimit, createUpToLimit } from '../platform/limited-creation.ts'
import { idFromName, newOrganization } from './edit.ts'
import type { Organization } from './organization.ts'
import type { NewOrganization } from './schemas.ts'
import {
  countChildren,
  createOrganization,
  currentOrganization,
  forgetOrganization,
  organizationsOf,
} from './store.ts'
import { exceededUserLimit, joiningProblem, sharedUserLimit } from './user-limit.ts'

/**
 * Creates an organization and returns its id. Throws Invalid, NotFound for an unknown parent,
 * Conflict for a taken id.
 */
export async function addOrganization(ctx: CallerContext, body: NewOrganization): Promise<string> {
  if (body.parent) await checkParent(ctx, body.parent)
  const wanted = body.id || idFromName(body.name) || randomId('organization')
  const organization = newOrganization(body, wanted, ctx.clock.now())
  const created = (id: string) => {
    ctx.noteChange?.({ owner: id, after: organization })
    return id
  }
  await checkDefaultCatalog(ctx, { ...organization, defaultCatalog: null }, body.defaultCatalog)
  const usernames = organization.users.map(({ username }) => username)
  const full = joiningProblem([], usernames, await sharedUserLimit(ctx, organization))
  if (full) throw full
  try {
    await create(ctx, organization)
    return created(wanted)
  } catch (error) {
    if (body.id || !(error instanceof Conflict)) throw error
  }
  const id = randomId(wanted)
  await create(ctx, { ...organization, id })
  return created(id)
}

/** Keeps the users of a parent's children within its limit, also when many are created at once. */
async function create(ctx: CallerContext, organization: Organization): Promise<void> {
  const { id, parent } = organization
  if (parent === null) return createOrganization(ctx, organization)
  checkLimit(
    await countChildren(ctx, parent),
    limits.childOrganizations,
    `parent: has the maximum of ${limits.childOrganizations} sub-organizations`,
  )
  const usernames = organization.users.map(({ username }) => username)
  await createUpToLimit({
    signal: ctx.signal,
    create: () => createOrganization(ctx, organization),
    excess: () => exceededUserLimit(ctx, organization, usernames),
    async remove() {
      await organizationsOf(ctx).remove(id, { refresh: true })
      forgetOrganization(ctx, organization)
    },
  })
}

const randomId = (base: string): string => `${base}-${randomBytes(5).toString('hex')}`

async function checkParent(ctx: CallerContext, id: string): Promise<void> {
  const parent = await currentOrganization(ctx, id, ctx.signal)
  if (!parent) throw new NotFound('Organization')
  if (parent.parent !== null) {
    throw new Invalid('parent: is itself a sub-organization; only one level is supported')
  }
}

/** Throws Invalid for a new default catalog that the organization does not see. */
export async function checkDefaultCatalog(
  ctx: CallerContext,
  { id, name, parent, defaultCatalog: before }: Organization,
  wanted: string | null | undefined,
): Promise<void> {
  if (!wanted || wanted === before) return
  const organization = { id, name, parent, defaultCatalog: null, catalogLimit: null, credits: null }
  if (await openCatalog({ ...ctx, organization }, wanted).catch(ignoring(NotFound))) return
  throw new Invalid('defaultCatalog: catalog not found; create it first')
}
