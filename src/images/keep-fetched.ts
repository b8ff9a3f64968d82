import { hash } from 'node:crypto'
import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { imagesOf, newRecord } from './records.ts'
import { sanitizePicture } from './sanitize.ts'
import { keep } from './save.ts'
import { imageIdOf, isKept, type KeptImage, keptImage, wantedKind } from './store.ts'

/**
 * Keeps a picture under an id that follows from its bytes: the same picture is decoded and kept once
 * for an organization. Throws Invalid for what is no picture, TooManyRequests, OverQuota.
 */
export async function keepFetched(ctx: Context, bytes: Buffer): Promise<KeptImage> {
  const { id: organization } = ctx.organization
  const kind = wantedKind(bytes)
  const content = hash('sha256', bytes, 'hex')
  const id = imageIdOf(ctx.secrets.fingerprint(content, [organization, 'picture']), kind)
  const images = imagesOf(ctx, organization)
  const known = (await images.get(id))?.source
  if (known && (await isKept(ctx, id))) {
    // The next look would remove it, unless it is new again.
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
