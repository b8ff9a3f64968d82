import type { AnyExtension, Problem } from '../extensions/contract.ts'
import { beyond, destinationsOf, originOf, receiverOf } from '../extensions/destinations.ts'
import { isShared, type StoredValues } from '../extensions/installation.ts'
import { clearValues, enteredElsewhere, type GivenValues } from '../extensions/values.ts'

/** The values of an installation, those that its organization shares, and what is given anew. */
interface Change {
  readonly before: StoredValues
  readonly shared: StoredValues
  readonly given: GivenValues
}

/** Protected values that a change of an address would send to where they were not entered for. */
export function elsewhereProblems(
  extension: AnyExtension,
  { before, shared, given }: Change,
): Problem[] {
  const receiver = receiverOf(extension)
  const { fields } = receiver
  const at = destinationsOf(receiver, clearValues(fields, before, shared))
  const then = destinationsOf(receiver, clearValues(fields, before, shared, given))
  // A protected address cannot be held against the one before: all that goes with it is entered.
  const hidden = fields
    .filter((field) => field.protected && !isShared(field))
    .flatMap(({ field }) => originOf(given[field] ?? '') ?? [])
  const moved = beyond(at, then)
  if (moved.length === 0 && hidden.length === 0) return []
  return fields.flatMap((field) => {
    const value = Object.hasOwn(before, field.field) ? before[field.field] : undefined
    if (isShared(field) || !value?.sealed || Object.hasOwn(given, field.field)) return []
    const to = value.to ?? at
    const elsewhere = [...beyond(to, then), ...hidden]
    if (elsewhere.length === 0) return []
    return [{ field: `additionalData.${field.field}`, message: enteredElsewhere(to, elsewhere) }]
  })
}

/** Values of an earlier version were entered for where they go, unless that has moved. */
export function entered(
  extension: AnyExtension,
  { before, shared }: Omit<Change, 'given'>,
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
