import { type StoredValue, sharedName } from '../extensions/installation.ts'
import type { OrganizationContext } from '../extensions/registrations.ts'
import { installationsIn } from '../extensions/store.ts'
import { changeSharedValues, mergedValues, readSharedValues } from '../extensions/stored-values.ts'
import type { Context, Services } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createSerialQueue } from '../platform/serial-queue.ts'
import { availableExtensions } from './available-extensions.ts'

const turnsOf = memoizeWeak(createSerialQueue)

/**
 * Serializes installing and uninstalling per organization in this process, so that two requests
 * never both take the last slot, and a shared value that another request needs is not removed.
 */
export const serializedByOrganization = <T>(
  { elastic }: Services,
  organization: string,
  work: () => Promise<T>,
): Promise<T> => turnsOf(elastic).run(organization, work)

/** Changes values that the organization shares; null clears. */
export const shareValues = (
  ctx: Context,
  shared: Readonly<Record<string, StoredValue | null>>,
): Promise<void> =>
  changeSharedValues(ctx, ctx.organization.id, {
    change: (before) => mergedValues(before, shared),
    signal: ctx.signal,
  })

/** Removes shared values that no installation except `going` has a field for. */
export async function removeUnusedSharedValues(
  ctx: OrganizationContext,
  going: string,
): Promise<void> {
  const { organization, signal } = ctx
  const shared = await readSharedValues(ctx, organization.id, signal)
  if (Object.keys(shared).length === 0) return
  const used = await usedSharedNames(ctx, going)
  if (!used) return
  const change = (before: typeof shared) => {
    const kept = Object.entries(before).filter(([name]) => used.has(name))
    return kept.length === Object.keys(before).length ? before : Object.fromEntries(kept)
  }
  await changeSharedValues(ctx, organization.id, { change, signal })
}

/**
 * Names of shared values in use; undefined if an installation's extension, and so its fields, are
 * missing.
 */
async function usedSharedNames(
  ctx: OrganizationContext,
  going: string,
): Promise<ReadonlySet<string> | undefined> {
  const { organization, signal } = ctx
  const [available, installed] = await Promise.all([
    availableExtensions(ctx),
    installationsIn(ctx, organization.id, { signal }),
  ])
  const known = new Map(available.map((extension) => [extension.manifest.id, extension]))
  const used = installed
    .filter(({ id }) => id !== going)
    .map(({ extension }) => known.get(extension))
  const found = used.filter((one) => one !== undefined)
  if (found.length < used.length) return undefined
  return new Set(
    found.flatMap(({ manifest, origin }) =>
      manifest.fields.flatMap((field) => sharedName(field, origin) ?? []),
    ),
  )
}
