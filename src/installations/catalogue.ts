import { NotFound } from '../errors.ts'
import { builtIns as exports } from '../exports/built-in.ts'
import type { AnyExtension } from '../extensions/contract.ts'
import { findRegistered, homesOf, registeredExtensions } from '../extensions/registered.ts'
import { builtIns as imports } from '../imports/built-in.ts'
import type { Context } from '../operation.ts'
import { builtIns as recommendations } from '../recommendations/built-in.ts'

/** What can be installed without registering anything. */
export const builtIns: readonly AnyExtension[] = [...exports, ...imports, ...recommendations]

/** Extensions that the caller's organization can install, built-in ones first. */
export async function availableExtensions(ctx: Context): Promise<readonly AnyExtension[]> {
  return [...builtIns, ...(await registeredExtensions(ctx))]
}

/** One of them. Throws NotFound. */
export async function availableExtension(ctx: Context, id: string): Promise<AnyExtension> {
  const { organization, signal } = ctx
  const homes = homesOf(organization.id, organization.parent)
  const found =
    builtIns.find(({ manifest }) => manifest.id === id) ??
    (await findRegistered(ctx, { homes, id, signal }))
  if (!found) throw new NotFound('Extension')
  return found
}
