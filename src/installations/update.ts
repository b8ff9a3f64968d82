import { receiverOf } from '../extensions/destinations.ts'
import type { Installation } from '../extensions/installation.ts'
import { installationsOf, ownInstallation } from '../extensions/store.ts'
import { mergedValues, sharedValuesFor, storedValues } from '../extensions/stored-values.ts'
import type { Context } from '../operation.ts'
import { retryWhileStale } from '../platform/retry.ts'
import { availableExtension } from './available-extensions.ts'
import { changeableInstallation } from './changeable-installation.ts'
import { changedSettings } from './changed-settings.ts'
import { withDestinations } from './destination-problems.ts'
import { shareValues } from './install.ts'
import { isRescheduled, nextRunOf } from './next-run.ts'
import { refuse, requestProblems } from './request-problems.ts'
import type { ExtensionInstallRequest } from './schemas.ts'

export interface UpdateResult {
  /** The vendor that it was for, when it is now for another one or none. */
  readonly former: string | null
}

/**
 * Changes an installation; fields that the request does not name stay. Throws NotFound, Invalid,
 * Forbidden.
 */
export async function updateInstallation(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<UpdateResult> {
  const { signal, organization } = ctx
  const installed = await changeableInstallation(ctx, id)
  const extension = await availableExtension(ctx, installed.extension)
  refuse(await requestProblems(ctx, body, { extension, installed }))
  const parts = { organization: organization.id, installation: id, ...receiverOf(extension) }
  const given = body.additionalData
  const shared = await sharedValuesFor(ctx, organization.id, { fields: parts.fields, signal })
  const installations = installationsOf(ctx, organization.id)
  const updated = await retryWhileStale(signal, async (): Promise<UpdateResult> => {
    const found = await ownInstallation(ctx, id)
    const before = found.source
    const { own } = storedValues(ctx, { ...parts, before: before.values, known: shared }, given)
    const changed: Installation = {
      ...before,
      ...levelAfter(before, body, ctx.caller.username),
      enabled: body.enabled ?? before.enabled,
      settings: changedSettings(before.settings, body),
      values: mergedValues(withDestinations(extension, { before: before.values, shared }), own),
    }
    const next = isRescheduled(before, changed)
      ? { ...changed, nextRun: nextRunOf(changed, ctx.clock.now()) }
      : changed
    await installations.replace(id, next, found, { signal, refresh: true })
    const { vendor } = before.settings
    return { former: vendor === next.settings.vendor ? null : vendor }
  })
  await shareValues(ctx, storedValues(ctx, parts, given).shared)
  return updated
}

/**
 * The owner after a change of level: a personal installation belongs to whoever makes it personal,
 * since nobody else could undo that.
 */
export function levelAfter(
  before: Pick<Installation, 'level' | 'username'>,
  { extensionLevel: level = before.level }: Pick<ExtensionInstallRequest, 'extensionLevel'>,
  username: string,
): Pick<Installation, 'level' | 'username'> {
  const isTaken = before.level === 'organization' && level === 'user'
  return { level, username: isTaken ? username : before.username }
}
