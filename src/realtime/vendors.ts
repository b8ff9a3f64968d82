import { hash } from 'node:crypto'
import { ignoring, NotFound } from '../errors.ts'
import type { ExtensionOf } from '../extensions/contract.ts'
import { findExtensionOfKind } from '../extensions/find-extension.ts'
import {
  type Installed,
  isVisibleTo,
  type StoredValue,
  type StoredValues,
} from '../extensions/installation.ts'
import { lengthOf } from '../extensions/large-values.ts'
import { sharedValuesReader } from '../extensions/open-values.ts'
import type { ReadyExtension } from '../extensions/run-extension.ts'
import { allInstallations, visibleInstallations } from '../extensions/store.ts'
import { type SharedValuesReader, sharedBy, storedValueOf } from '../extensions/stored-values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import { mapLimited } from '../platform/map-limited.ts'
import { memoize } from '../platform/memoize.ts'
import type { Steps } from '../platform/steps.ts'
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
  /** Characters of its values, own and shared, as they are stored. */
  readonly valueLength: number
}

/** An installation as a vendor. */
export async function vendorOf(
  { installed, extension }: ReadyExtension<'realtime'>,
  readShared: SharedValuesReader,
): Promise<Vendor> {
  const shared = await sharedWith(installed, extension, readShared)
  const [vendor] = await inSteps(describing([{ installed, extension, shared }]))
  return vendor!
}

/** The vendors that the caller may ask. */
export async function usableVendors(
  ctx: Context,
  readShared: SharedValuesReader,
): Promise<Vendor[]> {
  return vendorsOf(ctx, await visibleInstallations(ctx, ENABLED), readShared)
}

/** The same from the cache, since each search of a catalog may need them. */
export async function recentVendors(ctx: Context): Promise<Vendor[]> {
  const load = async () => {
    const shared = { ...ctx, signal: AbortSignal.timeout(limits.requestMs) }
    const installed = await allInstallations(shared, ENABLED)
    return vendorsOf(shared, installed, sharedValuesReader(shared))
  }
  const { organization, signal } = ctx
  const keptLength = (found: Vendor[]) => lengthOf(found.map(({ installed }) => installed))
  const options = { signal, lengthOf: keptLength }
  const found = await ctx.cache.get('realtime', organization.id, load, options)
  return (found ?? []).filter(({ installed }) => isVisibleTo(ctx, installed))
}

const ENABLED = { kind: 'realtime', enabled: true } as const

/** Registrations that one request reads at once. */
const READS = 4

/** Installations as vendors. Reads what several have in common once, a few at a time. */
async function vendorsOf(
  ctx: Context,
  all: readonly Installed[],
  readShared: SharedValuesReader,
): Promise<Vendor[]> {
  const registered = new Map<string, Realtime | undefined>()
  const distinct = [...new Map(all.map((one) => [registrationKey(one), one]))]
  await mapLimited(distinct, READS, async ([key, one]) => {
    registered.set(key, await registeredOf(ctx, one))
  })
  const parts: VendorParts[] = []
  for (const installed of all) {
    const extension = registered.get(registrationKey(installed))
    const shared = await sharedWith(installed, extension, readShared)
    parts.push({ installed, extension, shared })
  }
  return inSteps(describing(parts))
}

const sharedWith = (
  { organization }: Installed,
  extension: Realtime | undefined,
  readShared: SharedValuesReader,
): Promise<StoredValues> => sharedBy(extension?.manifest.fields ?? [], organization, readShared)

const registrationKey = ({ organization, extension }: Installed): string =>
  token(organization, extension)

function registeredOf(ctx: Context, installed: Installed): Promise<Realtime | undefined> {
  const { extension: id, organization: home } = installed
  const lookup = { kind: 'realtime', id, home, builtIns } as const
  return findExtensionOfKind(ctx, lookup).catch(ignoring(NotFound))
}

interface VendorParts extends Pick<Vendor, 'installed' | 'extension'> {
  readonly shared: StoredValues
}

/** Vendors with their keys. A value that several have is hashed once. */
function* describing(all: readonly VendorParts[]): Steps<Vendor[]> {
  const digestOf = memoize((value: StoredValue) => hash('sha256', JSON.stringify(value)))
  const vendors: Vendor[] = []
  for (const { installed, extension, shared } of all) {
    const { id, organization, settings, values } = installed
    const digests: (string | null)[] = []
    let valueLength = 0
    for (const field of extension?.manifest.fields ?? []) {
      const value = storedValueOf(field, values, shared, extension?.origin)
      digests.push(value ? digestOf(value) : null)
      valueLength += value?.text.length ?? 0
      yield
    }
    const parts = JSON.stringify([settings, digests, extension?.registered ?? null])
    vendors.push({
      installed,
      extension,
      name: settings.vendor ?? settings.nickname ?? installed.extension,
      key: token(organization, id, hash('sha256', parts, 'base64url')),
      valueLength,
    })
    yield
  }
  return vendors
}
