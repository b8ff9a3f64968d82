import { Invalid } from '../errors.ts'
import type { Installation } from '../extensions/installation.ts'
import { installationsIn } from '../extensions/store.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { checkTaskInput } from '../tasks/check-input.ts'

/** The other installations of the organization. */
export async function otherInstallations(ctx: Context, id: string): Promise<Installation[]> {
  const all = await installationsIn(ctx, ctx.organization.id, { signal: ctx.signal })
  return all.filter((one) => one.id !== id)
}

/**
 * Bytes left for one installation besides the others of its organization, since searches read them
 * together. Concurrent requests may exceed it together, as it only bounds growth.
 */
export const bytesLeftBeside = (others: readonly Installation[]): number =>
  others.reduce((left, one) => left - bytesOf(one), limits.installationBytes)

/**
 * Throws Invalid for an installation that exceeds its limit. One that gets smaller is never
 * refused.
 */
export function checkInstallationSize(
  next: Installation,
  room: number,
  before?: Installation,
): void {
  const bytes = bytesOf(next)
  if (before && bytes <= bytesOf(before)) return
  // Otherwise none of its tasks could be queued.
  checkTaskInput(next.settings)
  if (bytes <= room) return
  throw new Invalid(
    `additionalData: the values and mappings of all installed extensions of an organization have at most ${limits.installationBytes} bytes in total; shorten them, or uninstall others`,
  )
}

const bytesOf = ({ settings, values }: Installation): number =>
  Buffer.byteLength(JSON.stringify([settings, values]))
