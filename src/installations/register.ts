import { changeDocument } from '../elastic/change-document.ts'
import { Conflict, Forbidden, Invalid } from '../errors.ts'
import { originOf } from '../extensions/destinations.ts'
import { readManifest } from '../extensions/manifest.ts'
import {
  ALL_ORGANIZATIONS,
  findRegistration,
  type RegisteredExtension,
  registrationHomes,
  registrationsOf,
  secretContext,
} from '../extensions/registrations.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import { checkWebhookSecret, newWebhookSecret } from '../platform/webhook-signature.ts'
import { isBuiltIn } from './available-extensions.ts'

/** The organizations that can use an extension. Only an operator may choose all of them. */
export interface RegistrationScope {
  readonly allOrganizations: boolean
}

export interface RegisterOutcome {
  readonly id: string
  /** The generated secret, shown only once; null if the caller gave one or an earlier one stays. */
  readonly secret: string | null
  readonly isNew: boolean
}

/** The home of extensions of that reach. Throws Forbidden. */
export function homeOf(
  { caller, organization }: Context,
  { allOrganizations }: RegistrationScope,
): string {
  if (!allOrganizations) return organization.id
  if (caller.role === 'operator') return ALL_ORGANIZATIONS
  throw new Forbidden(
    'allOrganizations: only an operator can register an extension for all organizations',
  )
}

/**
 * Reads a manifest and stores it, or updates an earlier registration. Throws Invalid, Conflict,
 * Forbidden.
 */
export async function registerExtension(
  ctx: Context,
  {
    manifestUrl,
    secret,
    allOrganizations,
  }: RegistrationScope & { manifestUrl: string; secret: string | null },
): Promise<RegisterOutcome> {
  const home = homeOf(ctx, { allOrganizations })
  if (secret !== null) checkWebhookSecret(secret, 'secret')
  ctx.outbound.check(manifestUrl, 'manifestUrl')
  const { manifest, url } = readManifest(await fetchManifest(ctx, manifestUrl), manifestUrl)
  ctx.outbound.check(url, 'manifest.url')
  await checkFree(ctx, home, manifest.id)
  let outcome: Omit<RegisterOutcome, 'id'> = { secret: null, isNew: false }
  const register = async (found: RegisteredExtension | undefined): Promise<RegisteredExtension> => {
    const before = found?.registration
    if (!found) await checkRoom(ctx, home)
    if (before && before.manifest.kind !== manifest.kind) {
      throw new Conflict(
        `manifest.kind: ${manifest.id} is already registered as ${before.manifest.kind}`,
      )
    }
    const from = before && originOf(before.url)
    const isMoved = from !== undefined && from !== originOf(url)
    if (isMoved && secret === null) {
      throw new Invalid(
        `secret: required because calls now go to ${originOf(url)} instead of ${from}`,
      )
    }
    const made = secret === null && !before ? newWebhookSecret() : null
    const given = secret ?? made
    const now = ctx.clock.now().toISOString()
    outcome = { secret: made, isNew: !found }
    const after = {
      id: manifest.id,
      created: found?.created ?? now,
      registration: {
        manifestUrl,
        manifest,
        url,
        moved: isMoved || (before?.moved ?? false),
        secret:
          given === null
            ? before!.secret
            : ctx.secrets.seal(given, secretContext(home, manifest.id)),
        username: ctx.caller.username,
        updated: now,
      },
    }
    ctx.noteChange?.({ owner: home, before: found, after })
    return after
  }
  const options = { signal: ctx.signal, refresh: true } as const
  await changeDocument(registrationsOf(ctx, home), manifest.id, register, options)
  return { id: manifest.id, ...outcome }
}

async function fetchManifest(ctx: Context, url: string): Promise<Uint8Array> {
  try {
    ctx.leavePlace?.()
    const { status, body } = await ctx.outbound.call({
      url,
      headers: { accept: 'application/json' },
      timeoutMs: MANIFEST_MS,
      maxBytes: limits.manifestBytes,
      signal: ctx.signal,
      owner: loadOwner(ctx.organization),
      about: {
        requestId: ctx.requestId,
        organization: ctx.organization.id,
        call: 'manifest',
      },
    })
    if (status === 200) return body
    throw new Invalid(`manifestUrl: the server responded with status ${status}`)
  } catch (error) {
    if (error instanceof OutboundFailure) throw new Invalid(`manifestUrl: ${error.message}`)
    throw error
  }
}

/** Timeout for the manifest, which leaves time to store it and to answer. */
const MANIFEST_MS = 1_500

/**
 * Throws Conflict if the id is that of a built-in extension or one that the organization already
 * sees.
 */
async function checkFree(ctx: Context, home: string, id: string): Promise<void> {
  const taken = new Conflict(`manifest.id: another extension already has the id ${id}`)
  if (isBuiltIn(id) || (await registeredElsewhere(ctx, home, id)) !== undefined) throw taken
}

/** Where else an extension with this id is registered and visible to the organization. */
export async function registeredElsewhere(
  ctx: Context,
  home: string,
  id: string,
): Promise<string | undefined> {
  if (home === ALL_ORGANIZATIONS) return undefined
  const homes = registrationHomes(home, ctx.organization.parent).filter((other) => other !== home)
  return (await findRegistration(ctx, { homes, id, signal: ctx.signal }))?.home
}

async function checkRoom(ctx: Context, home: string): Promise<void> {
  checkLimit(
    await registrationsOf(ctx, home).count(undefined, { signal: ctx.signal }),
    limits.registeredExtensions,
    `An organization registers at most ${limits.registeredExtensions} extensions.`,
  )
}
