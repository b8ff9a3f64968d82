/** The index of an event's own month: a retry after midnight stores it in the same index. */
export const monthlyKind = (kind: string, time: Date): string =>
  `${kind}-${time.toISOString().slice(0, 7).replace('-', '.')}`

/** Time of a UUIDv7, whose first 48 bits are milliseconds. */
export const timeOfUuid = (uuid: string): Date =>
  new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16))

/** The month of a time, counted from year 0. */
export const monthNumber = (time: Date): number => time.getUTCFullYear() * 12 + time.getUTCMonth()

/** The start of the oldest month that is kept. */
export const keptSince = (now: Date, months: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))

const MONTH = /^(\d{4})\.(0[1-9]|1[0-2])$/

/** The month of an index of this kind, without prefix; undefined for other indices. */
export function monthOfIndex(index: string, kind: string): number | undefined {
  const found = index.startsWith(`${kind}-`) && MONTH.exec(index.slice(kind.length + 1))
  return found ? Number(found[1]) * 12 + Number(found[2]) - 1 : undefined
}
