import { NotFound } from '../errors.ts'
import { builtIns as exports } from '../exports/built-in.ts'
import type { AnyExtension } from '../extensions/contract.ts'
import { builtIns as imports } from '../imports/built-in.ts'
import type { Context } from '../operation.ts'

/** What can be installed without registering anything. */
export const builtIns: readonly AnyExtension[] = [...exports, ...imports]

/** Extensions that the caller's organization can install, built-in ones first. */
export async function availableExtensions(_ctx: Context): Promise<readonly AnyExtension[]> {
  return builtIns
}

/** One of them. Throws NotFound. */
export async function availableExtension(ctx: Context, id: string): Promise<AnyExtension> {
  const found = (await availableExtensions(ctx)).find(({ manifest }) => manifest.id === id)
  if (!found) throw new NotFound('Extension')
  return found
}
