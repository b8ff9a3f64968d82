import { NotFound } from '../errors.ts'
import type { OrganizationContext } from '../extensions/registrations.ts'
import {
  changeableInstallation,
  findAnyInstallation,
  installationsOf,
} from '../extensions/store.ts'
import type { Context } from '../operation.ts'
import { removeUnusedSharedValues, serializedByOrganization } from './shared-values.ts'

/**
 * Uninstalls an extension, also one that another user installed. Runs in progress end on their own.
 * Throws NotFound, Forbidden.
 */
export async function uninstall(ctx: Context, id: string): Promise<void> {
  const found = await findAnyInstallation(ctx, ctx.organization.id, id)
  if (!found) await changeableInstallation(ctx, id)
  ctx.noteChange?.({ before: found?.source })
  if (!(await removeInstallation(ctx, id))) throw new NotFound('Extension')
}

/**
 * Removes an installation. Shared values that only it uses are removed first, so that the
 * installation is still found after a failure in between.
 */
export const removeInstallation = (ctx: OrganizationContext, id: string): Promise<boolean> =>
  serializedByOrganization(ctx, ctx.organization.id, async () => {
    await removeUnusedSharedValues(ctx, id)
    const { signal } = ctx
    return installationsOf(ctx, ctx.organization.id).remove(id, { signal, refresh: true })
  })
