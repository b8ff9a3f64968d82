import { v7 as uuidv7 } from 'uuid'
import { annotationChange } from '../annotations/annotate.ts'
import { openCatalog } from '../catalogs/store.ts'
import { Failure, Unavailable } from '../errors.ts'
import { deadline, overQuota, usedBytes } from '../files/quota.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { missingProduct } from '../products/requested-change.ts'
import { changeProduct, readProduct } from '../products/store.ts'
import { imagesOf, newRecord } from './records.ts'
import { forgetImage } from './remove.ts'
import { sanitizePicture } from './sanitize.ts'
import { bytesOf, type SizedPicture } from './sizes.ts'
import { checkImageKind, imageId, type KeptImage, keptImage, writeImage } from './store.ts'

export interface NewImage {
  readonly bytes: Buffer
  /** The name of the product's image. */
  readonly name: string | null
  readonly catalog: string | undefined
  /** Null when no product shows the picture yet. */
  readonly productId: string | null
  /** The version that the product must have. */
  readonly ifMatch?: string | undefined
}

/**
 * Stores a picture, and adds it to a product if one is named. The file is written first, so that no
 * product shows a missing one.
 */
export async function saveImage(ctx: Context, image: NewImage): Promise<KeptImage> {
  const attach = await attachment(ctx, image)
  const kind = checkImageKind(image.bytes)
  ctx.leavePlace?.()
  const picture = await sanitizePicture(
    { bytes: image.bytes, kind, owner: loadOwner(ctx.organization) },
    ctx.signal,
  )
  const id = imageId(kind)
  const kept = await keep(ctx, id, picture).catch(async (error: unknown) => {
    await discard(ctx, id)
    throw error
  })
  try {
    await attach?.(kept)
  } catch (error) {
    // After an unclear failure the product may show it, so the file is left to the sweep.
    if (error instanceof Failure && !(error instanceof Unavailable)) await discard(ctx, id)
    throw error
  }
  return kept
}

/**
 * Returns a function that adds a picture to the product, which is looked up before anything is
 * decoded. Throws NotFound.
 */
async function attachment(ctx: Context, { catalog, productId, name, ifMatch }: NewImage) {
  if (productId === null) {
    if (catalog) await openCatalog(ctx, catalog)
    return undefined
  }
  const scope = await openCatalog(ctx, catalog)
  if (!(await readProduct(ctx, { scope }, productId))) throw missingProduct()
  const write = uuidv7({ msecs: ctx.clock.now().getTime() })
  return async ({ id, url, type }: KeptImage) => {
    const change = annotationChange({
      organization: ctx.organization.id,
      id: write,
      ifMatch,
      change: (own) => ({ ...own, images: [...own.images, { id, url, name, type }] }),
    })
    await changeProduct({ ...ctx, ...deadline() }, scope, productId, change)
  }
}

/**
 * Stores the record first, so that bytes never remain without one. An existing id is overwritten.
 * After a failure the record remains, for another request may have stored the same picture; unless
 * a product shows it, the sweep removes it. Throws OverQuota.
 */
export async function keep(ctx: Context, id: string, picture: SizedPicture): Promise<KeptImage> {
  const bytes = bytesOf(picture)
  const record = newRecord({ id, bytes, now: ctx.clock.now() })
  if ((await usedBytes(ctx)) + bytes > limits.fileQuotaBytes) throw overQuota()
  await imagesOf(ctx, ctx.organization.id).put(id, record, { ...deadline(), refresh: true })
  // Concurrent uploads may each have seen room.
  if ((await usedBytes(ctx)) > limits.fileQuotaBytes) throw overQuota()
  await writeImage(ctx, id, picture)
  return keptImage(ctx, id)
}

/** A picture that cannot be removed now is removed when it expires. */
const discard = (ctx: Context, id: string): Promise<void> =>
  forgetImage(ctx, ctx.organization.id, id).catch(() => undefined)
