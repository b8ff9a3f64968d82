import { hash } from 'node:crypto'
import { ignoring, NotFound } from '../errors.ts'
import type { ExtensionOf } from '../extensions/contract.ts'
import { findExtensionOfKind } from '../extensions/find-extension.ts'
import { type Installed, isVisibleTo } from '../extensions/installation.ts'
import { allInstallations, visibleInstallations } from '../extensions/store.ts'
import { sharedValuesFor, storedValueOf } from '../extensions/stored-values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { token } from '../text.ts'

type Realtime = ExtensionOf<'realtime'>

/** No vendor is built in, since stock and price come from remote ones. */
export const builtIns: readonly Realtime[] = []

/** An installed extension that can be asked for stock and price. */
export interface Vendor {
  readonly installed: Installed
  /** Undefined when its registration is gone: a call fails with that. */
  readonly extension: Realtime | undefined
  /** The vendor's name in offers. */
  readonly name: string
  /** Changes with all that its answers depend on: settings, values, shared values, registration. */
  readonly key: string
}

/** An installation as a vendor; its extension is read when it is not given. */
export async function vendorOf(
  ctx: Context,
  installed: Installed,
  given?: Realtime,
): Promise<Vendor> {
  const { id, organization, settings, values } = installed
  const { signal } = ctx
  const extension = given ?? (await registeredOf(ctx, installed))
  const fields = extension?.manifest.fields ?? []
  const shared = await sharedValuesFor(ctx, organization, { fields, signal })
  const stored = fields.map(
    (field) => storedValueOf(field, values, shared, extension?.origin) ?? null,
  )
  const parts = JSON.stringify([settings, stored, extension?.registered ?? null])
  return {
    installed,
    extension,
    name: settings.vendor ?? settings.nickname ?? installed.extension,
    key: token(organization, id, hash('sha256', parts, 'base64url')),
  }
}

/** The vendors that the caller may ask. */
export async function usableVendors(ctx: Context): Promise<Vendor[]> {
  const installed = await visibleInstallations(ctx, ENABLED)
  return Promise.all(installed.map((one) => vendorOf(ctx, one)))
}

/** The same from the cache, since each search of a catalog may need them. */
export async function recentVendors(ctx: Context): Promise<Vendor[]> {
  const load = async () => {
    const shared = { ...ctx, signal: AbortSignal.timeout(limits.requestMs) }
    const installed = await allInstallations(shared, ENABLED)
    return Promise.all(installed.map((one) => vendorOf(shared, one)))
  }
  const { organization, signal } = ctx
  const lengthOf = (found: Vendor[]) =>
    JSON.stringify(found.map(({ installed }) => installed)).length
  const found = await ctx.cache.get('realtime', organization.id, load, { signal, lengthOf })
  return (found ?? []).filter(({ installed }) => isVisibleTo(ctx, installed))
}

const ENABLED = { kind: 'realtime', enabled: true } as const

function registeredOf(ctx: Context, installed: Installed): Promise<Realtime | undefined> {
  const { extension: id, organization: home } = installed
  const lookup = { kind: 'realtime', id, home, builtIns } as const
  return findExtensionOfKind(ctx, lookup).catch(ignoring(NotFound))
}
