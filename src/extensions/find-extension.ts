import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import type { AnyExtension, ExtensionKind, ExtensionOf, Manifest } from './contract.ts'
import { findRegistered, registrationHomes } from './registrations.ts'

/**
 * Whether a built-in extension needs no values, so that it is always installed under its own id.
 */
export const isAlwaysInstalled = ({ fields }: Manifest): boolean =>
  fields.every((field) => field.optional || field.adHocOnlyField || field.defaultValue !== null)

export interface ExtensionLookup<Kind extends ExtensionKind> {
  readonly kind: Kind
  readonly id: string
  /** The organization that installed it, which determines the registered extension. */
  readonly home: string
  readonly builtIns: readonly ExtensionOf<Kind>[]
}

/** An available extension of a kind: built in, or registered. Throws NotFound. */
export async function findExtensionOfKind<Kind extends ExtensionKind>(
  ctx: Context,
  { kind, ...wanted }: ExtensionLookup<Kind>,
): Promise<ExtensionOf<Kind>> {
  const found = await findExtension(ctx, wanted)
  if (found.manifest.kind === kind) return found as ExtensionOf<Kind>
  throw new NotFound('Extension')
}

/** An available extension of any kind. Throws NotFound. */
export async function findExtension(
  ctx: Context,
  { id, home, builtIns }: Omit<ExtensionLookup<ExtensionKind>, 'kind'>,
): Promise<AnyExtension> {
  const { signal, organization } = ctx
  const parent = home === organization.id ? organization.parent : null
  const found =
    builtIns.find(({ manifest }) => manifest.id === id) ??
    (await findRegistered(ctx, { homes: registrationHomes(home, parent), id, signal }))
  if (!found) throw new NotFound('Extension')
  return found
}
