import type { AnyExtension, Problem } from '../extensions/contract.ts'
import {
  destinationsOf,
  originOf,
  receiverOf,
  unapprovedDestinations,
} from '../extensions/destinations.ts'
import { isShared, type StoredValues } from '../extensions/installation.ts'
import { unapprovedDestinationText } from '../extensions/open-values.ts'
import { clearValues, type GivenValues } from '../extensions/stored-values.ts'

/** Values of an installation before a change, values shared by its organization, and new values. */
interface ValuesChange {
  readonly before: StoredValues
  readonly shared: StoredValues
  readonly given: GivenValues
}

/**
 * Protected values that a changed address would send to destinations for which they were not
 * entered.
 */
export function destinationProblems(
  extension: AnyExtension,
  { before, shared, given }: ValuesChange,
): Problem[] {
  const receiver = receiverOf(extension)
  const { fields } = receiver
  const at = destinationsOf(receiver, clearValues(fields, before, shared))
  const then = destinationsOf(receiver, clearValues(fields, before, shared, given))
  // The previous value of a protected address is unknown, so every protected value must be entered
  // again.
  const hidden = fields
    .filter((field) => field.protected && !isShared(field))
    .flatMap(({ field }) => originOf(given[field] ?? '') ?? [])
  const moved = unapprovedDestinations(at, then)
  if (moved.length === 0 && hidden.length === 0) return []
  return fields.flatMap((field) => {
    const value = Object.hasOwn(before, field.field) ? before[field.field] : undefined
    if (isShared(field) || !value?.sealed || Object.hasOwn(given, field.field)) return []
    const to = value.to ?? at
    const elsewhere = [...unapprovedDestinations(to, then), ...hidden]
    if (elsewhere.length === 0) return []
    return [
      { field: `additionalData.${field.field}`, message: unapprovedDestinationText(to, elsewhere) },
    ]
  })
}

/** Adds the current destinations to values of an earlier version, unless the extension moved. */
export function withDestinations(
  extension: AnyExtension,
  { before, shared }: Omit<ValuesChange, 'given'>,
): StoredValues {
  const receiver = receiverOf(extension)
  if (receiver.moved) return before
  const to = destinationsOf(receiver, clearValues(receiver.fields, before, shared))
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => [
      name,
      value.sealed && value.to === undefined ? { ...value, to } : value,
    ]),
  )
}
