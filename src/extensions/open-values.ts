import { Failure } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { memoize } from '../platform/memoize.ts'
import type { Steps } from '../platform/steps.ts'
import { destinationsOf, type Receiver, unapprovedDestinations } from './destinations.ts'
import type { FieldDefinition } from './fields.ts'
import { type Installed, isShared, type StoredValue, type StoredValues } from './installation.ts'
import { inTurnIfLarge, type LargeCaller } from './large-values.ts'
import {
  clearValues,
  readSharedValues,
  type SharedValuesReader,
  sharedBy,
  sharedValuesFor,
  storedValueOf,
  valueContext,
} from './stored-values.ts'

/**
 * Thrown instead of sending a value to a destination for which it was not entered. The message
 * names who can fix that.
 */
class UnapprovedDestination extends Failure {
  constructor(field: string, { to }: StoredValue, beyond: readonly string[]) {
    super('conflict', `${field}: ${unapprovedDestinationText(to ?? [], beyond)}`)
  }
}

export const unapprovedDestinationText = (
  to: readonly string[],
  beyond: readonly string[],
): string =>
  `must be entered again for ${beyond.join(', ') || 'its new address'}, ${to.length > 0 ? `because it was entered for ${to.join(', ')}` : 'because it was entered for another address'}`

/**
 * Reads them once for each organization, for as long as the returned function is kept. Calls may
 * outlive the request that began them, so its signal does not end the reading.
 */
export const sharedValuesReader = (services: Services): SharedValuesReader =>
  memoize((organization) =>
    readSharedValues(services, organization, AbortSignal.timeout(limits.requestMs)),
  )

/**
 * Values in clear by field, with the defaults of fields that have none. Many are opened in turn.
 * Throws UnapprovedDestination.
 */
export async function openValues(
  services: Services & Pick<LargeCaller, 'organization' | 'whilePaused'>,
  installed: Pick<Installed, 'id' | 'organization' | 'values'>,
  { readShared, ...options }: OpenValuesOptions,
): Promise<Record<string, string>> {
  const { fields, signal, origin } = options
  const { organization: home, values } = installed
  const shared = await (readShared
    ? sharedBy(fields, home, readShared)
    : sharedValuesFor(services, home, { fields, signal }))
  const found = fields.map((field) => storedValueOf(field, values, shared, origin))
  const characters = found.reduce((sum, value) => sum + (value?.text.length ?? 0), 0)
  const { organization, whilePaused } = services
  const asker = { organization, signal, whilePaused }
  return inTurnIfLarge(asker, characters, opening(services, installed, { ...options, shared }))
}

interface OpenValuesOptions extends Receiver {
  readonly signal: AbortSignal
  readonly readShared?: SharedValuesReader | undefined
}

function* opening(
  services: Services,
  installed: Pick<Installed, 'id' | 'organization' | 'values'>,
  { shared, ...receiver }: Receiver & { readonly shared: StoredValues },
): Steps<Record<string, string>> {
  const { fields, origin, moved = false } = receiver
  const destinations = destinationsOf(receiver, clearValues(fields, installed.values, shared))
  const opened: Record<string, string> = {}
  for (const field of fields) {
    yield
    const value = storedValueOf(field, installed.values, shared, origin)
    if (value === undefined) {
      if (field.defaultValue !== null) opened[field.field] = field.defaultValue
      continue
    }
    opened[field.field] = value.sealed ? openedFor(field, value) : value.text
  }
  return opened

  function openedFor(field: FieldDefinition, value: StoredValue): string {
    const now = isShared(field) ? destinationsOf(receiver, {}) : destinations
    const elsewhere = unapprovedDestinations(value.to ?? now, now)
    if (elsewhere.length > 0 || (value.to === undefined && moved)) {
      throw new UnapprovedDestination(field.field, value, elsewhere)
    }
    const where = valueContext(installed.organization, installed.id, field)
    return services.secrets.open(value.text, where)
  }
}
