import { changeAnnotations, type ProductKey } from '../annotations/store.ts'
import type { Context, Services } from '../operation.ts'
import type { Annotations } from '../products/product.ts'
import { imagesOf, shownImages } from './records.ts'
import { removeImage } from './store.ts'

/**
 * Removes custom images from a product and, after the answer, files that no product shows any more.
 * Unknown ids are ignored. Returns how many the product had.
 */
export async function removeCustomImages(
  ctx: Context,
  product: ProductKey,
  ids: readonly string[],
): Promise<number> {
  const wanted = new Set(ids)
  const removed = new Set<string>()
  const change = ({ images, ...own }: Annotations): Annotations => {
    const taken = images.flatMap(({ id }) => (id !== null && wanted.has(id) ? [id] : []))
    // Collected over all attempts, since one whose answer was lost may have taken effect.
    for (const id of taken) removed.add(id)
    return { ...own, images: images.filter(({ id }) => id === null || !wanted.has(id)) }
  }
  await changeAnnotations(ctx, product, change)
  if (removed.size > 0) {
    ctx.background.run('remove pictures', () =>
      removeUnshown(ctx, ctx.organization.id, [...removed]),
    )
  }
  return removed.size
}

/** Files left behind by a crash or an outage are removed when they expire. */
async function removeUnshown(services: Services, organization: string, ids: readonly string[]) {
  const shown = await shownImages(services, ids)
  for (const id of ids) if (!shown.has(id)) await forgetImage(services, organization, id)
}

/** Removes the bytes and the record of a picture of the organization. */
export async function forgetImage(services: Services, organization: string, id: string) {
  const images = imagesOf(services, organization)
  if (!(await images.get(id))) return
  await removeImage(services, id)
  await images.remove(id, { refresh: true })
}
