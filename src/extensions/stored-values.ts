import { changeDocument } from '../elastic/change-document.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { Reencrypt } from '../platform/secrets.ts'
import { destinationsOf, type Receiver } from './destinations.ts'
import type { FieldDefinition } from './fields.ts'
import {
  isShared,
  plainName,
  type StoredValue,
  type StoredValues,
  sharedName,
} from './installation.ts'
import { SHARED, type SharedValues, sharedValuesOf } from './store.ts'

/** The origin in a name is not part of the context, since it may have been added later. */
const sharedContext = (organization: string, name: string) => [
  organization,
  'shared',
  plainName(name),
]
const ownContext = (organization: string, installation: string, field: string) => [
  organization,
  'installation',
  installation,
  field,
]

/** The context that a sealed value is bound to: it cannot be opened in any other. */
export const valueContext = (
  organization: string,
  installation: string,
  field: FieldDefinition,
): string[] => {
  const shared = sharedName(field)
  return shared === undefined
    ? ownContext(organization, installation, field.field)
    : sharedContext(organization, shared)
}

/** Values of a request by field: a text sets, null clears, absent leaves unchanged. */
export type GivenValues = Readonly<Record<string, string | null>>

export interface StoredValuesOptions extends Receiver {
  readonly organization: string
  readonly installation: string
  /** The current values of the installation. */
  readonly before?: StoredValues
  /** Values shared by the organization's installations. */
  readonly known?: StoredValues
}

/** The values to store: those of the installation, and the shared ones. */
export function storedValues(
  { secrets }: Services,
  { organization, installation, before = {}, known = {}, ...receiver }: StoredValuesOptions,
  given: GivenValues,
): { own: Record<string, StoredValue | null>; shared: Record<string, StoredValue | null> } {
  const own: Record<string, StoredValue | null> = {}
  const shared: Record<string, StoredValue | null> = {}
  const destinations = destinationsOf(receiver, clearValues(receiver.fields, before, known, given))
  for (const field of receiver.fields) {
    if (!Object.hasOwn(given, field.field)) continue
    const text = given[field.field]!
    const where = valueContext(organization, installation, field)
    const name = sharedName(field, receiver.origin)
    // A shared value belongs to an extension, whatever addresses its installations have.
    const to = name === undefined ? destinations : destinationsOf(receiver, {})
    const value =
      text === null
        ? null
        : field.protected
          ? { text: secrets.seal(text, where), sealed: true, to }
          : { text, sealed: false }
    if (name === undefined) own[field.field] = value
    else shared[name] = value
  }
  return { own, shared }
}

/** The unprotected values of an installation, overridden by those given. */
export function clearValues(
  fields: readonly FieldDefinition[],
  before: StoredValues,
  shared: StoredValues,
  given: GivenValues = {},
): Record<string, string> {
  const clear: Record<string, string> = {}
  for (const field of fields.filter((one) => !one.protected)) {
    const kept = storedValueOf(field, before, shared)
    const text = Object.hasOwn(given, field.field)
      ? given[field.field]
      : kept && !kept.sealed
        ? kept.text
        : null
    const known = text ?? field.defaultValue
    if (known !== null && known !== undefined) clear[field.field] = known
  }
  return clear
}

/** `before` with the values set in `change`, without those that are null there. */
export function mergedValues(
  before: StoredValues,
  change: Readonly<Record<string, StoredValue | null>>,
): StoredValues {
  if (Object.keys(change).length === 0) return before
  const all = Object.entries({ ...before, ...change })
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )
}

/** Reads the values that an organization's installations share. */
export type SharedValuesReader = (organization: string) => Promise<StoredValues>

/** The values shared by an organization's installations; reads nothing when `fields` share none. */
export const sharedBy = async (
  fields: readonly FieldDefinition[],
  organization: string,
  read: SharedValuesReader,
): Promise<StoredValues> => (fields.some(isShared) ? read(organization) : {})

/** The same, read now. */
export const sharedValuesFor = (
  services: Services,
  organization: string,
  { fields, signal }: { fields: readonly FieldDefinition[]; signal: AbortSignal },
): Promise<StoredValues> =>
  sharedBy(fields, organization, (id) => readSharedValues(services, id, signal))

/** The values shared by an organization's installations. */
export async function readSharedValues(
  services: Services,
  organization: string,
  signal: AbortSignal,
): Promise<StoredValues> {
  const found = await sharedValuesOf(services, organization).get(SHARED, { signal })
  return found?.source.values ?? {}
}

/**
 * Throws Invalid when shared values exceed their limit. A change that shrinks them is never
 * refused.
 */
export function checkSharedRoom(values: StoredValues, before: StoredValues): void {
  const bytesOf = (all: StoredValues) => Buffer.byteLength(JSON.stringify(all))
  if (bytesOf(values) <= Math.max(limits.installationBytes, bytesOf(before))) return
  throw new Invalid(
    `additionalData: the values that extensions of an organization share have at most ${limits.installationBytes} bytes in total; shorten them`,
  )
}

/**
 * Changes the values shared by an organization's installations. Throws Invalid beyond their limit.
 */
export async function changeSharedValues(
  services: Services,
  organization: string,
  { change, signal }: { change: (before: StoredValues) => StoredValues; signal: AbortSignal },
): Promise<void> {
  const changed = (found: SharedValues | undefined): SharedValues | undefined => {
    const before = found?.values ?? {}
    const values = change(before)
    if (values === before) return undefined
    checkSharedRoom(values, before)
    return { id: SHARED, kind: SHARED, values }
  }
  await changeDocument(sharedValuesOf(services, organization), SHARED, changed, { signal })
}

/** The stored value of a field; `origin` is that of its extension. */
export const storedValueOf = (
  field: FieldDefinition,
  own: StoredValues,
  shared: StoredValues,
  origin?: string,
): StoredValue | undefined => {
  const name = sharedName(field, origin)
  const [values, key] = name === undefined ? [own, field.field] : [shared, name]
  // Own properties only: a field may be called `constructor`.
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** Seals all values of an installation, or the shared ones, with the current key. */
export function reencryptValues<T extends { readonly id: string; readonly values: StoredValues }>(
  document: T,
  organization: string,
  reencrypt: Reencrypt,
): T {
  const { id } = document
  const values = Object.entries(document.values).map(([name, value]) => {
    const { text, sealed } = value
    const where =
      id === SHARED ? sharedContext(organization, name) : ownContext(organization, id, name)
    return [name, sealed ? { ...value, text: reencrypt(text, where) } : value]
  })
  return { ...document, values: Object.fromEntries(values) }
}
