import { builtIns as exports } from '../exports/built-in.ts'
import type { AnyExtension } from '../extensions/contract.ts'
import { findExtension } from '../extensions/find-extension.ts'
import { type OrganizationContext, registeredExtensions } from '../extensions/registrations.ts'
import { builtIns as imports } from '../imports/built-in.ts'
import type { Context } from '../operation.ts'
import { builtIns as recommendations } from '../recommendations/built-in.ts'

/** Extensions that need no registration. */
export const builtIns: readonly AnyExtension[] = [...exports, ...imports, ...recommendations]

export const isBuiltIn = (id: string): boolean =>
  builtIns.some(({ manifest }) => manifest.id === id)

/** Extensions that the caller's organization can install, built-in ones first. */
export async function availableExtensions(
  ctx: OrganizationContext,
): Promise<readonly AnyExtension[]> {
  return [...builtIns, ...(await registeredExtensions(ctx))]
}

/** Finds an available extension by its id. Throws NotFound. */
export const availableExtension = (ctx: Context, id: string): Promise<AnyExtension> =>
  findExtension(ctx, { id, home: ctx.organization.id, builtIns })
