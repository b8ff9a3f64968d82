import { Invalid } from '../errors.ts'
import type { Installation } from '../extensions/installation.ts'
import { installationsIn } from '../extensions/store.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'

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
  checkSettings(next, before)
  const bytes = bytesOf(next)
  if (bytes <= room || (before && bytes <= bytesOf(before))) return
  throw new Invalid(
    `additionalData: the values and mappings of all installed extensions of an organization have at most ${limits.installationBytes} bytes in total; shorten them, or uninstall others`,
  )
}

/** Bytes of a task's input besides the settings that it has. */
const TASK_BYTES = 16 * 1024

/** Throws Invalid for settings that grew beyond what a task may have, since none could be queued. */
function checkSettings(next: Installation, before?: Installation): void {
  const most = limits.taskInputBytes - TASK_BYTES
  const bytes = jsonBytes(next.settings)
  if (bytes <= most || (before && bytes <= jsonBytes(before.settings))) return
  throw new Invalid(
    `mappings: the settings of an installed extension have at most ${most} bytes as JSON, since each of its tasks has them; shorten the mappings`,
  )
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const bytesOf = ({ settings, values }: Installation): number => jsonBytes([settings, values])
