import type { Services } from '../operation.ts'
import { conflictAsStale } from '../platform/retry.ts'
import type { SealAnew } from '../platform/secrets.ts'
import type { FieldDefinition } from './fields.ts'
import { type Installed, type StoredValue, type StoredValues, sharedName } from './installation.ts'
import { SHARED, sharedOf } from './store.ts'

const sharedPlace = (organization: string, name: string) => [organization, 'shared', name]
const ownPlace = (organization: string, installation: string, field: string) => [
  organization,
  'installation',
  installation,
  field,
]

/** Where a sealed value stands: it cannot be opened from anywhere else. */
const placeOf = (organization: string, installation: string, field: FieldDefinition): string[] => {
  const shared = sharedName(field)
  return shared === undefined
    ? ownPlace(organization, installation, field.field)
    : sharedPlace(organization, shared)
}

/** A request's values by field: a text is set, null is cleared, what is absent stays. */
export type GivenValues = Readonly<Record<string, string | null>>

export interface Parts {
  readonly organization: string
  readonly installation: string
  readonly fields: readonly FieldDefinition[]
}

/** What is to be stored of the values given: those of the installation, and those that are shared. */
export function storedValues(
  { secrets }: Services,
  { organization, installation, fields }: Parts,
  given: GivenValues,
): { own: Record<string, StoredValue | null>; shared: Record<string, StoredValue | null> } {
  const own: Record<string, StoredValue | null> = {}
  const shared: Record<string, StoredValue | null> = {}
  for (const field of fields) {
    if (!Object.hasOwn(given, field.field)) continue
    const text = given[field.field]!
    const where = placeOf(organization, installation, field)
    const value =
      text === null
        ? null
        : field.protected
          ? { text: secrets.seal(text, where), sealed: true }
          : { text, sealed: false }
    const name = sharedName(field)
    if (name === undefined) own[field.field] = value
    else shared[name] = value
  }
  return { own, shared }
}

/** `before` with what is set in `change`, without what is null there. */
export function merged(
  before: StoredValues,
  change: Readonly<Record<string, StoredValue | null>>,
): StoredValues {
  if (Object.keys(change).length === 0) return before
  const all = Object.entries({ ...before, ...change })
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )
}

/** The values that an organization's installations share. */
export async function readShared(
  services: Services,
  organization: string,
  signal: AbortSignal,
): Promise<StoredValues> {
  const found = await sharedOf(services, organization).get(SHARED, { signal })
  return found?.source.values ?? {}
}

/** Changes shared values. Throws Stale when somebody else does at this moment. */
export async function changeShared(
  services: Services,
  organization: string,
  { change, signal }: { change: (before: StoredValues) => StoredValues; signal: AbortSignal },
): Promise<void> {
  const documents = sharedOf(services, organization)
  const found = await documents.get(SHARED, { signal })
  const before = found?.source.values ?? {}
  const values = change(before)
  if (values === before) return
  const next = { id: SHARED, kind: SHARED, values } as const
  if (found) await documents.replace(SHARED, next, found, { signal })
  else await documents.create(SHARED, next, { signal }).catch(conflictAsStale)
}

/** The value that a field has, as it is stored. */
export const storedValueOf = (
  field: FieldDefinition,
  own: StoredValues,
  shared: StoredValues,
): StoredValue | undefined => {
  const name = sharedName(field)
  const [values, key] = name === undefined ? [own, field.field] : [shared, name]
  // What every object has is no value: a field may be called `constructor`.
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** Values in clear, by field; the defaults of fields that have none. */
export async function openValues(
  services: Services,
  installed: Pick<Installed, 'id' | 'organization' | 'values'>,
  { fields, signal }: { fields: readonly FieldDefinition[]; signal: AbortSignal },
): Promise<Record<string, string>> {
  const isShared = fields.some((field) => sharedName(field) !== undefined)
  const shared = isShared ? await readShared(services, installed.organization, signal) : {}
  const opened: Record<string, string> = {}
  for (const field of fields) {
    const value = storedValueOf(field, installed.values, shared)
    if (value === undefined) {
      if (field.defaultValue !== null) opened[field.field] = field.defaultValue
      continue
    }
    const where = placeOf(installed.organization, installed.id, field)
    opened[field.field] = value.sealed ? services.secrets.open(value.text, where) : value.text
  }
  return opened
}

/** A document of values, an installation's or the shared ones, with all of them sealed anew. Pure. */
export function valuesSealedAnew<T extends { readonly id: string; readonly values: StoredValues }>(
  document: T,
  organization: string,
  anew: SealAnew,
): T {
  const { id } = document
  const values = Object.entries(document.values).map(([name, { text, sealed }]) => {
    const where = id === SHARED ? sharedPlace(organization, name) : ownPlace(organization, id, name)
    return [name, { text: sealed ? anew(text, where) : text, sealed }]
  })
  return { ...document, values: Object.fromEntries(values) }
}
