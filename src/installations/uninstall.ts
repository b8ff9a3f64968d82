import { NotFound } from '../errors.ts'
import type { Within } from '../extensions/registered.ts'
import { anyInstallation, installationsOf } from '../extensions/store.ts'
import type { Context } from '../operation.ts'
import { installedHere } from './here.ts'
import { inTurn } from './turns.ts'
import { forgetUnshared } from './unshared.ts'

/**
 * Uninstalls, also an installation of another user; runs in progress end on their own. Throws
 * NotFound, Forbidden.
 */
export async function uninstall(ctx: Context, id: string): Promise<void> {
  const isHere = (await anyInstallation(ctx, ctx.organization.id, id)) !== undefined
  if (!isHere) await installedHere(ctx, id)
  if (!(await removeInstallation(ctx, id))) throw new NotFound('Extension')
}

/**
 * Removes an installation, and first the shared values that only it uses: after a failure in
 * between, it is found again.
 */
export const removeInstallation = (ctx: Within, id: string): Promise<boolean> =>
  inTurn(ctx, ctx.organization.id, async () => {
    await forgetUnshared(ctx, id)
    const { signal } = ctx
    return installationsOf(ctx, ctx.organization.id).remove(id, { signal, refresh: true })
  })
