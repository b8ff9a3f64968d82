/** Characters of a text, or of a name, that take as much as a further value. */
const VALUE_LENGTH = 64
/** Bytes that a value so counted takes as JSON at most: a character may be an escape of six. */
const VALUE_BYTES = 6 * VALUE_LENGTH

/**
 * What a value leaves of the room for values, those inside it counted as well; 0 or less where the
 * room is too small, or nobody can tell. It looks at no more values than the room is for.
 */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - 1 - value.length / VALUE_LENGTH
  if (typeof value !== 'object' || value === null) return room - 1
  if ('toJSON' in value && typeof value.toJSON === 'function') return 0
  let rest = room - 1
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest > 0; at++) rest = roomAfter(value[at], rest)
    return rest
  }
  for (const name in value) {
    if (rest <= 0) return rest
    rest = roomAfter(value[name as keyof typeof value], rest - name.length / VALUE_LENGTH)
  }
  return rest
}

/** Whether a value has no more bytes as JSON, told without making any; false: it may have. */
export const isSurelyWithin = (value: unknown, bytes: number): boolean =>
  roomAfter(value, bytes / VALUE_BYTES) > 0
