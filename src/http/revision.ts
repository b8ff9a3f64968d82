import { Invalid } from '../errors.ts'
import { REVISIONS, type Revision } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { urlPath } from './url-path.ts'

const supported = REVISIONS.join(', ')

const isRevision = (text: string): text is Revision =>
  (REVISIONS as readonly string[]).includes(text)

/** The x-api-version parameters of media types, as in `application/json; x-api-version=6.0`. */
function parameters(mediaTypes: string | null): (string | undefined)[] {
  const found = mediaTypes?.matchAll(/;\s*x-api-version\s*=\s*"?([^";,\s]+)"?/gi) ?? []
  return [...found].map(([, version]) => version)
}

/** The revisions that a request names; none, or more than one, is the caller's mistake. */
const named = memoizeWeak((headers: Headers): string[] => {
  const texts = [
    headers.get('x-api-version')?.trim(),
    ...parameters(headers.get('content-type')),
    ...parameters(headers.get('accept')),
  ]
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]
})

/** Whether a request names no revision. */
export const namesNoRevision = (headers: Headers): boolean => named(headers).length === 0

/** The revision that keys may have as their default, as all keys do since defaults exist. */
export const DEFAULT_REVISION: Revision = '6.0'

/** The revision of a request. Throws Invalid. */
export function revisionOf(headers: Headers): Revision {
  const [first, second] = named(headers)
  if (first === undefined) {
    throw new Invalid(`Send the header x-api-version. Supported versions: ${supported}.`)
  }
  if (second !== undefined) {
    throw new Invalid(
      `The request names two versions, ${first.slice(0, 20)} and ${second.slice(0, 20)}. Send one x-api-version.`,
    )
  }
  if (!isRevision(first)) {
    throw new Invalid(
      `x-api-version ${first.slice(0, 20)} is not supported. Supported: ${supported}.`,
    )
  }
  return first
}

/** Headers that every answer carries; x-api-version where a revision was settled. */
export function answerHeaders(
  revision: Revision | undefined,
  requestId: string,
): Record<string, string> {
  return {
    'api-supported-versions': supported,
    ...(revision ? { 'x-api-version': revision } : {}),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    // A cache knows answers by their address, not by key and revision. Some operations override
    // this.
    'cache-control': 'no-store',
  }
}

/** JSON answers name their revision in the media type. */
export const mediaType = (revision: Revision | undefined): string =>
  revision ? `application/json; x-api-version=${revision}` : 'application/json'

/**
 * The path with the prefix under which its revision's routes are registered. A request with a key
 * that names no revision is matched in the default one, and refused later if its key has no
 * default.
 */
export function withRevisionPrefix(
  request: Request,
  versionless: (path: string) => boolean,
  keys: { all(request: Request): readonly string[] },
): string {
  const { headers, url } = request
  const path = urlPath(url)
  if (versionless(path)) return path
  const hasKey = keys.all(request).length > 0
  const assumed = namesNoRevision(headers) && hasKey ? DEFAULT_REVISION : undefined
  return `/${settledRevision(headers) ?? assumed ?? 'unversioned'}${path}`
}

/** The revision that a request names; undefined when it names none, several, or an unknown one. */
export function settledRevision(headers: Headers): Revision | undefined {
  const [first, second] = named(headers)
  return first !== undefined && second === undefined && isRevision(first) ? first : undefined
}

/** The revision in a path that `withRevisionPrefix` made; undefined where none was settled. */
export const revisionOfPath = (path: string): Revision | undefined =>
  REVISIONS.find((revision) => path.startsWith(`/${revision}/`))
