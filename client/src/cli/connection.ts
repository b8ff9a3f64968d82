import { type Connection, fitsHeader, UNFIT } from '../connection.ts'
import { CommandFailure, UsageError } from './command.ts'
import type { Profile, Profiles } from './profiles.ts'

const DEFAULT_URL = 'http://127.0.0.1:3000'

interface Wanted {
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly organization?: string | undefined
  readonly profile?: string | undefined
  readonly catalog?: string | undefined
}

/** The service that a command calls, and the catalog that it works on. */
export interface Target {
  readonly connection: Connection & { readonly url: string }
  readonly catalog: string | undefined
}

/**
 * Options take precedence over the environment, and the environment over a profile. Throws
 * UsageError and CommandFailure.
 */
export function targetOf(
  wanted: Wanted,
  environment: NodeJS.ProcessEnv,
  profiles: Profiles,
): Target {
  const profile = profileOf(profiles, wanted.profile ?? environment.AISLE_PROFILE)
  const url = plainUrl(wanted.url ?? (environment.AISLE_URL || profile?.url || DEFAULT_URL))
  // A profile's key is meant for the profile's service only and is not sent to another address.
  const own = profile && plainUrl(profile.url) === url ? profile : undefined
  const key = wanted.key ?? (environment.AISLE_API_KEY || own?.key)
  if (!key)
    throw new UsageError('Set AISLE_API_KEY to a key, or add a profile: aisle profile add NAME.')
  const organization =
    wanted.organization ?? (environment.AISLE_ORGANIZATION || own?.organization || undefined)
  for (const [name, text] of Object.entries({ key, organization })) {
    if (text && !fitsHeader(text)) throw new UsageError(`The ${name} ${UNFIT}.`)
  }
  return { connection: { url, key, organization }, catalog: wanted.catalog ?? own?.catalog }
}

function profileOf(
  { current, profiles }: Profiles,
  named: string | undefined,
): Profile | undefined {
  if (named && !Object.hasOwn(profiles, named)) {
    throw new CommandFailure(`Profile ${named} not found: aisle profile list shows all.`)
  }
  const name = named || current
  return name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Removes a slash at the end of an address. Throws UsageError if it is not an HTTP address. */
export function plainUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url ${url} is not a URL.`)
  }
  const { username, password, search, hash } = new URL(url)
  if (username || password || search || hash) {
    throw new UsageError(
      'The URL of the service must not contain a user name, password, query or fragment.',
    )
  }
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
