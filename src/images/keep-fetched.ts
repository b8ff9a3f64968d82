import { hash } from 'node:crypto'
import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { imagesOf, newRecord } from './records.ts'
import { sanitizePicture } from './sanitize.ts'
import { keep } from './save.ts'
import { checkImageKind, imageExists, imageIdOf, type KeptImage, keptImage } from './store.ts'

/**
 * Stores a picture under an id derived from its bytes, so that an organization decodes and stores
 * it only once. Throws Invalid for bytes that are not a picture, TooManyRequests, OverQuota.
 */
export async function keepFetched(ctx: Context, bytes: Buffer): Promise<KeptImage> {
  const { id: organization } = ctx.organization
  const kind = checkImageKind(bytes)
  const content = hash('sha256', bytes, 'hex')
  const id = imageIdOf(ctx.secrets.fingerprint(content, [organization, 'picture']), kind)
  const images = imagesOf(ctx, organization)
  const known = (await images.get(id))?.source
  if (known && (await imageExists(ctx, id))) {
    // The next sweep would remove it, so its record starts anew.
    if (known.shown === false) {
      await images.put(id, newRecord({ ...known, now: ctx.clock.now() }), { refresh: true })
    }
    return keptImage(ctx, id)
  }
  return keep(
    ctx,
    id,
    await sanitizePicture({ bytes, kind, owner: loadOwner(ctx.organization) }, ctx.signal),
  )
}
