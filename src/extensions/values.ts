import { Stale } from '../errors.ts'
import type { Services } from '../operation.ts'
import { conflictAsStale } from '../platform/retry.ts'
import type { FieldDefinition } from './fields.ts'
import { type Installed, type StoredValue, type StoredValues, sharedName } from './installation.ts'
import { installationsOf, SHARED, sharedOf } from './store.ts'

/** Where a sealed value stands: it cannot be opened from anywhere else. */
const placeOf = (organization: string, installation: string, field: FieldDefinition): string[] => {
  const shared = sharedName(field)
  return shared === undefined
    ? [organization, 'installation', installation, field.field]
    : [organization, 'shared', shared]
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
  const old: Resealed[] = []
  for (const field of fields) {
    const value = storedValueOf(field, installed.values, shared)
    if (value === undefined) {
      if (field.defaultValue !== null) opened[field.field] = field.defaultValue
      continue
    }
    const where = placeOf(installed.organization, installed.id, field)
    const text = value.sealed ? services.secrets.open(value.text, where) : value.text
    opened[field.field] = text
    if (!value.sealed || services.secrets.isCurrent(value.text)) continue
    old.push({
      own: sharedName(field) === undefined,
      name: sharedName(field) ?? field.field,
      before: value.text,
      after: services.secrets.seal(text, where),
    })
  }
  if (old.length > 0) {
    services.background.run('seal values by the new key', () => reseal(services, installed, old))
  }
  return opened
}

interface Resealed {
  readonly own: boolean
  readonly name: string
  readonly before: string
  readonly after: string
}

const RESEAL_MS = 5_000

/** After a change of ENCRYPTION_KEY what is used is sealed anew, unless it has changed meanwhile. */
async function reseal(
  services: Services,
  { organization, id }: Pick<Installed, 'id' | 'organization'>,
  old: readonly Resealed[],
): Promise<void> {
  const signal = AbortSignal.timeout(RESEAL_MS)
  const installations = installationsOf(services, organization)
  const change = (own: boolean) => (before: StoredValues) => {
    const mine = old.filter((one) => one.own === own && before[one.name]?.text === one.before)
    return merged(
      before,
      Object.fromEntries(mine.map(({ name, after }) => [name, { text: after, sealed: true }])),
    )
  }
  try {
    await changeShared(services, organization, { change: change(false), signal })
    const found = await installations.get(id, { signal })
    if (!found) return
    const values = change(true)(found.source.values)
    if (values !== found.source.values) {
      await installations.replace(id, { ...found.source, values }, found, { signal })
    }
  } catch (error) {
    // Somebody changes it at this moment; the next use tries again.
    if (!(error instanceof Stale)) throw error
  }
}
