import { parseUrl } from '../platform/parse-url.ts'
import type { AnyExtension } from './contract.ts'
import type { FieldDefinition } from './fields.ts'

/** The receiver of an extension's calls; a built-in extension has no origin. */
export interface Receiver {
  readonly fields: readonly FieldDefinition[]
  /** The origin of its calls. */
  readonly origin?: string | undefined
  /** Whether its calls went to another origin before. */
  readonly moved?: boolean | undefined
}

export const receiverOf = ({ manifest, origin, moved }: AnyExtension): Receiver => ({
  fields: manifest.fields,
  origin,
  moved,
})

/** The origin of a URL, also in the form `https:host`; undefined for other texts. */
export function originOf(text: string): string | undefined {
  const url = parseUrl(text)
  return url?.host ? `${url.protocol}//${url.host}` : undefined
}

/**
 * The destinations of an installation's values: its extension, and the addresses among the values.
 */
export function destinationsOf(
  { origin }: Pick<Receiver, 'origin'>,
  clear: Readonly<Record<string, string>>,
): string[] {
  const origins = Object.values(clear).flatMap((text) => originOf(text) ?? [])
  return [...new Set([...(origin === undefined ? [] : [origin]), ...origins])].toSorted()
}

/** The destinations for which a value was not entered. */
export const unapprovedDestinations = (
  to: readonly string[],
  destinations: readonly string[],
): string[] => destinations.filter((destination) => !to.includes(destination))
