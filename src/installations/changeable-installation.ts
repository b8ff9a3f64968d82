import { Forbidden } from '../errors.ts'
import type { Installed } from '../extensions/installation.ts'
import { findInstallation } from '../extensions/store.ts'
import type { Context } from '../operation.ts'

/**
 * Finds an installation that the caller's organization owns and may change. Throws NotFound,
 * Forbidden.
 */
export async function changeableInstallation(ctx: Context, id: string): Promise<Installed> {
  const found = await findInstallation(ctx, id)
  if (found.organization === ctx.organization.id) return found
  throw new Forbidden(`The extension was installed by ${found.organization} and is changed there.`)
}
