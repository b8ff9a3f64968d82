/** The monthly index of an event: named by the event's own time, so that a retry across midnight doubles nothing. */
export const monthlyKind = (kind: string, time: Date): string =>
  `${kind}-${time.toISOString().slice(0, 4)}.${time.toISOString().slice(5, 7)}`

/** Time of a UUIDv7: its first 48 bits are milliseconds. */
export const timeOfUuid = (uuid: string): Date =>
  new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16))
