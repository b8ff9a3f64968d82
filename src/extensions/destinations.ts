import type { AnyExtension } from './contract.ts'
import type { FieldDefinition } from './fields.ts'

/** Where an extension's calls go; nowhere for a built-in one. */
export interface Receiver {
  readonly fields: readonly FieldDefinition[]
  /** The origin of its calls. */
  readonly origin?: string | undefined
  /** Its calls went to another origin at some time. */
  readonly moved?: boolean | undefined
}

export const receiverOf = ({ manifest, origin, moved }: AnyExtension): Receiver => ({
  fields: manifest.fields,
  origin,
  moved,
})

/** The origin of a text that is a URL, also as `https:host`; else undefined. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  return url?.host ? `${url.protocol}//${url.host}` : undefined
}

/** Where an installation's values go: its extension, and the addresses among the values. */
export function destinationsOf(
  { origin }: Pick<Receiver, 'origin'>,
  clear: Readonly<Record<string, string>>,
): string[] {
  const origins = Object.values(clear).flatMap((text) => originOf(text) ?? [])
  return [...new Set([...(origin === undefined ? [] : [origin]), ...origins])].toSorted()
}

/** The destinations that a value was not entered for. */
export const unapprovedDestinations = (
  to: readonly string[],
  destinations: readonly string[],
): string[] => destinations.filter((destination) => !to.includes(destination))
