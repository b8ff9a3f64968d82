import { changeDocument } from '../elastic/change-document.ts'
import { NotFound } from '../errors.ts'
import { receiverOf } from '../extensions/destinations.ts'
import { type Installation, isVisibleTo } from '../extensions/installation.ts'
import { changeableInstallation, installationsOf } from '../extensions/store.ts'
import {
  checkSharedRoom,
  mergedValues,
  sharedValuesFor,
  storedValues,
} from '../extensions/stored-values.ts'
import type { Context } from '../operation.ts'
import { availableExtension } from './available-extensions.ts'
import { changedSettings } from './changed-settings.ts'
import { withDestinations } from './destination-problems.ts'
import { bytesLeftBeside, checkInstallationSize, otherInstallations } from './installation-size.ts'
import { isRescheduled, nextRunOf } from './next-run.ts'
import { refuse, requestProblems } from './request-problems.ts'
import type { ExtensionInstallRequest } from './schemas.ts'
import { shareValues } from './shared-values.ts'

/**
 * Changes an installation; fields that the request does not name stay. Returns the previous vendor
 * if it has another one or none now. Throws NotFound, Invalid, Forbidden.
 */
export async function updateInstallation(
  ctx: Context,
  id: string,
  body: ExtensionInstallRequest,
): Promise<string | null> {
  const { signal, organization } = ctx
  const installed = await changeableInstallation(ctx, id)
  const extension = await availableExtension(ctx, installed.extension)
  refuse(await requestProblems(ctx, body, { extension, installed }))
  const parts = { organization: organization.id, installation: id, ...receiverOf(extension) }
  const given = body.additionalData
  const shared = await sharedValuesFor(ctx, organization.id, { fields: parts.fields, signal })
  const room = bytesLeftBeside(await otherInstallations(ctx, id))
  const sharedAfter = storedValues(ctx, parts, given).shared
  checkSharedRoom(mergedValues(shared, sharedAfter), shared)
  let former: string | null = null
  const changed = (before: Installation | undefined): Installation => {
    if (!before || !isVisibleTo(ctx, { ...before, organization: organization.id })) {
      throw new NotFound('Extension')
    }
    const values = storedValues(ctx, { ...parts, before: before.values, known: shared }, given)
    const next: Installation = {
      ...before,
      ...levelAfter(before, body, ctx.caller.username),
      enabled: body.enabled ?? before.enabled,
      settings: changedSettings(before.settings, body),
      values: mergedValues(
        withDestinations(extension, { before: before.values, shared }),
        values.own,
      ),
    }
    checkInstallationSize(next, room, before)
    ctx.noteChange?.({ before, after: { ...next, sharedData: values.shared } })
    const { vendor } = before.settings
    former = vendor === next.settings.vendor ? null : vendor
    if (!isRescheduled(before, next)) return next
    return { ...next, nextRun: nextRunOf(next, ctx.clock.now()) }
  }
  const installations = installationsOf(ctx, organization.id)
  await changeDocument(installations, id, changed, { signal, refresh: true })
  await shareValues(ctx, sharedAfter)
  return former
}

/** The user who makes an installation personal owns it, since nobody else could undo that. */
export function levelAfter(
  before: Pick<Installation, 'level' | 'username'>,
  { extensionLevel: level = before.level }: Pick<ExtensionInstallRequest, 'extensionLevel'>,
  username: string,
): Pick<Installation, 'level' | 'username'> {
  const isTaken = before.level === 'organization' && level === 'user'
  return { level, username: isTaken ? username : before.username }
}
