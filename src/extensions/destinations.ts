import type { AnyExtension } from './contract.ts'
import type { FieldDefinition } from './fields.ts'

/** Where an extension's calls go; of one that is built in nothing. */
export interface Receiver {
  readonly fields: readonly FieldDefinition[]
  /** Scheme, host and port of its calls. */
  readonly origin?: string | undefined
  /** Its origin was another one at some time. */
  readonly moved?: boolean | undefined
}

export const receiverOf = ({ manifest, origin, moved }: AnyExtension): Receiver => ({
  fields: manifest.fields,
  origin,
  moved,
})

/** Scheme, host and port of a text that is an address, also as `https:host`; else undefined. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url?.host ? `${url.protocol}//${url.host}` : undefined
}

/** Where the values of an installation go: to its extension, and to the addresses among them. */
export function destinationsOf(
  { origin }: Pick<Receiver, 'origin'>,
  clear: Readonly<Record<string, string>>,
): string[] {
  const origins = Object.values(clear).flatMap((text) => originOf(text) ?? [])
  return [...new Set([...(origin === undefined ? [] : [origin]), ...origins])].toSorted()
}

/** The destinations that a value was not entered for. */
export const beyond = (to: readonly string[], destinations: readonly string[]): string[] =>
  destinations.filter((destination) => !to.includes(destination))
