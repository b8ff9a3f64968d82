import { hash } from 'node:crypto'
import { NotFound } from '../errors.ts'
import type { ExtensionOf } from '../extensions/contract.ts'
import { extensionOf } from '../extensions/find.ts'
import { type Installed, isShared } from '../extensions/installation.ts'
import { visibleInstallations } from '../extensions/store.ts'
import { readShared, storedValueOf } from '../extensions/values.ts'
import type { Context } from '../operation.ts'
import { builtIns } from './built-in.ts'

type Realtime = ExtensionOf<'realtime'>

/** The extension of an installation, as it is registered now. Throws NotFound. */
export const registeredOf = (ctx: Context, installed: Installed): Promise<Realtime> =>
  extensionOf(ctx, {
    kind: 'realtime',
    id: installed.extension,
    home: installed.organization,
    builtIns,
  })

/**
 * Another text after each change of what the answers of an installation depend on: its settings and
 * values, those that it shares, and its registration.
 */
export async function revisionOf(
  ctx: Context,
  installed: Installed,
  known?: Realtime,
): Promise<string> {
  const { settings, values, organization } = installed
  const extension = known ?? (await registeredOf(ctx, installed).catch(gone))
  const fields = extension?.manifest.fields ?? []
  const shared = fields.some(isShared) ? await readShared(ctx, organization, ctx.signal) : {}
  const told = fields.map(
    (field) => storedValueOf(field, values, shared, extension?.origin) ?? null,
  )
  const parts = [settings, told, extension?.registered ?? null]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

/** The vendors that the caller may use, each with its revision. */
export async function vendorsNow(ctx: Context): Promise<{ one: Installed; revision: string }[]> {
  const installed = await visibleInstallations(ctx, { kind: 'realtime', enabled: true })
  return Promise.all(installed.map(async (one) => ({ one, revision: await revisionOf(ctx, one) })))
}

/** Whoever asks it is told that. */
function gone(error: unknown): undefined {
  if (!(error instanceof NotFound)) throw error
}
