import { Forbidden } from '../errors.ts'
import type { Installed } from '../extensions/installation.ts'
import { findInstallation } from '../extensions/store.ts'
import type { Context } from '../operation.ts'

/** An installation that the caller sees and that is changed here. Throws NotFound, Forbidden. */
export async function installedHere(ctx: Context, id: string): Promise<Installed> {
  const found = await findInstallation(ctx, id)
  if (found.organization === ctx.organization.id) return found
  throw new Forbidden(`The extension was installed by ${found.organization} and is changed there.`)
}
