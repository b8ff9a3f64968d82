import { openCatalog } from '../catalogs/store.ts'
import { Invalid, ignoring, NotFound } from '../errors.ts'
import type { CallerContext } from '../operation.ts'
import type { Organization } from './organization.ts'

/** Throws Invalid for a new default catalog that the organization does not see. */
export async function checkDefaultCatalog(
  ctx: CallerContext,
  { id, parent, defaultCatalog: before }: Organization,
  wanted: string | null | undefined,
): Promise<void> {
  if (!wanted || wanted === before) return
  const organization = { id, parent, defaultCatalog: null, catalogLimit: null, credits: null }
  if (await openCatalog({ ...ctx, organization }, wanted).catch(ignoring(NotFound))) return
  throw new Invalid('defaultCatalog: there is no catalog of this name; create it first')
}
