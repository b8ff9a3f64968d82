import { NotFound } from '../errors.ts'
import type { Context } from '../operation.ts'
import type { AnyExtension, ExtensionKind, ExtensionOf, Manifest } from './contract.ts'

/** A built-in extension without required fields is installed from the beginning, under its own id. */
export const isAlwaysInstalled = ({ fields }: Manifest): boolean =>
  fields.every((field) => field.optional || field.adHocOnlyField || field.defaultValue !== null)

const isOfKind = <Kind extends ExtensionKind>(
  extension: AnyExtension,
  kind: Kind,
): extension is ExtensionOf<Kind> => extension.manifest.kind === kind

/** An available extension of a kind: built in, or registered. Throws NotFound. */
export async function extensionOf<Kind extends ExtensionKind>(
  _ctx: Context,
  { kind, id, builtIns }: { kind: Kind; id: string; builtIns: readonly ExtensionOf<Kind>[] },
): Promise<ExtensionOf<Kind>> {
  const found = builtIns.find(({ manifest }) => manifest.id === id)
  if (found && isOfKind(found, kind)) return found
  throw new NotFound('Extension')
}
