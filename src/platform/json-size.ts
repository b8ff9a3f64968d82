/** Characters of a string, or of a name, that count as one more value. */
const VALUE_LENGTH = 64
/** The most bytes of JSON that such a value takes: a character may become an escape of six. */
const VALUE_BYTES = 6 * VALUE_LENGTH

/**
 * What remains of `room`, a number of values, after this one and those inside it; 0 or less when
 * there is not enough or it cannot be told. Looks at no more than `room` values.
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

/** The number of values that surely take at most this many bytes as JSON. */
export const roomWithin = (bytes: number): number => bytes / VALUE_BYTES

/** Whether a value surely has at most this many bytes as JSON, without serializing it. */
export const isSurelyWithin = (value: unknown, bytes: number): boolean =>
  roomAfter(value, roomWithin(bytes)) > 0
