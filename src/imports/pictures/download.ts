import { setTimeout as sleep } from 'node:timers/promises'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { createAdmission, type Leave } from '../../platform/admission.ts'
import { loadOwner, partOf, rootOf } from '../../platform/load-owner.ts'
import { OutboundFailure, type OutboundFailureKind } from '../../platform/outbound/failure.ts'
import type { OutboundAnswer } from '../../platform/outbound/request.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import type { FetchedPicture } from '../../products/product.ts'

/** A failure to get a picture, with a message for users. */
export class PictureFailure extends Error {
  readonly again: boolean
  /** Whether the host did not respond at all. */
  readonly isSilent: boolean

  constructor(reason: string, { again = false, isSilent = false } = {}) {
    super(reason)
    this.again = again
    this.isSilent = isSilent
  }
}

/** The cache validators of a response. */
export type Validators = Pick<FetchedPicture, 'etag' | 'lastModified'>

export interface DownloadedPicture {
  readonly bytes: Buffer
  readonly validators: Validators
}

interface Download<T> {
  readonly known: Validators
  readonly signal: AbortSignal
  /** Stores the picture. No other one is downloaded in its place before that. */
  readonly keep: (picture: DownloadedPicture) => Promise<T>
}

/** Limits requests per host in this process. Organizations take turns at a host. */
const hosts = createAdmission({
  capacity: Infinity,
  share: limits.picturesByHost,
  waiting: Infinity,
  what: 'pictures of a host',
})

/**
 * Limits the pictures in memory. Takes turns by organization, so that silent hosts of one do not
 * hold up the others.
 */
const places = createAdmission({
  capacity: limits.picturesAtOnce,
  share: limits.picturesAtOnce / 2,
  aloneShare: (limits.picturesAtOnce * 3) / 4,
  waiting: Infinity,
  what: 'pictures',
})

/** Milliseconds before each retry. */
const PAUSES = [1_000, 4_000] as const
const SILENT: readonly OutboundFailureKind[] = ['unreachable', 'late']

/** Downloads pictures for one task, which gives up on hosts that do not respond. */
export function createDownloads(ctx: Pick<Context, 'outbound' | 'organization' | 'requestId'>) {
  /** Number of consecutive unanswered requests by host. */
  const silent = new Map<string, number>()

  async function downloaded(address: string, known: Validators, signal: AbortSignal) {
    try {
      return read(await followed(ctx, { url: address, known, signal }), known)
    } catch (error) {
      throw failureOf(error)
    }
  }

  /**
   * Enters a host and takes a place. It never waits for a place at a host, which pictures of others
   * may need, and for the host in its place only if there was none at first.
   */
  async function entered(
    host: string,
    signal: AbortSignal,
  ): Promise<Record<'host' | 'place', Leave>> {
    const owner = loadOwner(ctx.organization)
    const part = partOf(host, rootOf(ctx.organization))
    const leaveHost = await hosts.enter(part, { signal })
    const atOnce = places.tryEnter(owner)
    if (atOnce) return { host: leaveHost, place: atOnce }
    leaveHost()
    const place = await places.enter(owner, { signal })
    try {
      return { host: await hosts.enter(part, { signal }), place }
    } catch (error) {
      place()
      throw error
    }
  }

  /** Leaves the host after the download, but its place only when the bytes are kept. */
  async function once<T>(address: string, { known, signal, keep }: Download<T>) {
    const leave = await entered(new URL(address).host, signal)
    try {
      const picture = await downloaded(address, known, signal)
      leave.host()
      return picture && (await keep(picture))
    } finally {
      leave.host()
      leave.place()
    }
  }

  function note(host: string, isSilent: boolean): void {
    if (isSilent) silent.set(host, (silent.get(host) ?? 0) + 1)
    else silent.delete(host)
  }

  /**
   * Downloads a picture and returns what `keep` makes of it; undefined if the server reports that
   * it is unchanged. Throws PictureFailure.
   */
  return async <T>(address: string, download: Download<T>): Promise<T | undefined> => {
    checkAddress(ctx, address)
    const { host } = new URL(address)
    for (let tries = 1; ; tries++) {
      if ((silent.get(host) ?? 0) >= limits.silentPictures) {
        const message = `${host} did not respond to ${limits.silentPictures} pictures in a row and is not tried again.`
        throw new PictureFailure(message)
      }
      try {
        const picture = await once(address, download)
        note(host, false)
        return picture
      } catch (error) {
        const isRetried =
          error instanceof PictureFailure && error.again && tries < limits.pictureTries
        if (!isRetried) {
          if (error instanceof PictureFailure) note(host, error.isSilent)
          throw error
        }
      }
      await sleep(PAUSES[tries - 1] ?? PAUSES.at(-1), undefined, { signal: download.signal })
    }
  }
}

function checkAddress({ outbound }: Pick<Context, 'outbound'>, address: string): void {
  try {
    outbound.check(address, 'address')
  } catch (error) {
    if (error instanceof Invalid) throw new PictureFailure(error.message)
    throw error
  }
}

/** Follows a few redirects, each checked by the guard again. */
async function followed(
  ctx: Pick<Context, 'outbound' | 'organization' | 'requestId'>,
  { url: address, known, signal }: { url: string; known: Validators; signal: AbortSignal },
): Promise<OutboundAnswer<Uint8Array>> {
  let url = address
  for (let redirects = 0; ; redirects++) {
    try {
      return await ctx.outbound.call({
        url,
        headers: {
          accept: 'image/png, image/jpeg, image/webp, image/gif',
          ...(known.etag ? { 'if-none-match': known.etag } : {}),
          ...(known.lastModified ? { 'if-modified-since': known.lastModified } : {}),
        },
        timeoutMs: limits.pictureMs,
        maxBytes: limits.imageBytes,
        signal,
        owner: loadOwner(ctx.organization),
        about: { task: ctx.requestId, organization: ctx.organization.id },
      })
    } catch (error) {
      const to = error instanceof OutboundFailure ? error.location : undefined
      const target = to === undefined ? null : parseUrl(to, url)
      if (!target) throw error
      if (redirects === limits.pictureRedirects) {
        throw new PictureFailure(`The address redirects more than ${redirects} times.`)
      }
      url = target.href
      checkAddress(ctx, url)
    }
  }
}

const OK = 200
const NOT_MODIFIED = 304
const AGAIN_STATUSES = [408, 425, 429]

function read(
  { status, headers, body }: OutboundAnswer<Uint8Array>,
  known: Validators,
): DownloadedPicture | undefined {
  // A server may send it to a request without validators, too.
  if (status === NOT_MODIFIED && (known.etag ?? known.lastModified) !== undefined) return undefined
  if (status !== OK) {
    const again = status >= 500 || AGAIN_STATUSES.includes(status)
    throw new PictureFailure(`The server responded with status ${status}.`, { again })
  }
  const etag = validator(headers.etag)
  const lastModified = validator(headers['last-modified'])
  const validators = { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) }
  return { bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength), validators }
}

/** A header value that can be sent back; undefined for others. */
const validator = (header: string | undefined): string | undefined =>
  header !== undefined && header.length <= limits.nameLength && /^[\x20-\x7e]+$/.test(header)
    ? header
    : undefined

function failureOf(error: unknown): unknown {
  if (!(error instanceof OutboundFailure)) return error
  const { kind, message, mayRepeat } = error
  const reason =
    kind === 'tooLarge' ? `The picture is larger than ${limits.imageBytes} bytes.` : message
  return new PictureFailure(reason, {
    again: mayRepeat,
    isSilent: SILENT.includes(kind),
  })
}
