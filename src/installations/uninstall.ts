import { NotFound } from '../errors.ts'
import type { OrganizationContext } from '../extensions/registrations.ts'
import {
  changeableInstallation,
  findAnyInstallation,
  installationsOf,
} from '../extensions/store.ts'
import type { Context } from '../operation.ts'
import { serializedByOrganization } from './serialize.ts'
import { removeUnusedSharedValues } from './unused-shared-values.ts'

/**
 * Uninstalls, also an installation of another user; runs in progress end on their own. Throws
 * NotFound, Forbidden.
 */
export async function uninstall(ctx: Context, id: string): Promise<void> {
  const isHere = (await findAnyInstallation(ctx, ctx.organization.id, id)) !== undefined
  if (!isHere) await changeableInstallation(ctx, id)
  if (!(await removeInstallation(ctx, id))) throw new NotFound('Extension')
}

/**
 * Removes an installation, and first the shared values that only it uses: after a failure in
 * between, it is found again.
 */
export const removeInstallation = (ctx: OrganizationContext, id: string): Promise<boolean> =>
  serializedByOrganization(ctx, ctx.organization.id, async () => {
    await removeUnusedSharedValues(ctx, id)
    const { signal } = ctx
    return installationsOf(ctx, ctx.organization.id).remove(id, { signal, refresh: true })
  })
