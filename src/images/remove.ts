import { changeAnnotations, type ProductKey } from '../annotations/store.ts'
import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import { forEach } from '../platform/for-each.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { slicesOf } from '../platform/slices.ts'
import type { Annotations } from '../products/product.ts'
import { type ImageRecord, imagesOf, shownImages } from './records.ts'
import { removeImage } from './store.ts'

const NAME = 'remove pictures'
/** Milliseconds for which pictures are gathered. */
const GATHER_MS = 500
/** Number of pictures that are removed at once. */
const AT_ONCE = 8

/** The pictures to remove by organization; each has one removal at a time. */
const removalsOf = memoizeWeak<Elastic, Batches<readonly string[]>>(() => createBatches(GATHER_MS))

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
  if (removed.size > 0) removeLater(ctx, [...removed])
  return removed.size
}

/**
 * Removes files that no product shows, together with those of concurrent requests, since each look
 * at all products needs a refresh. Files left behind by a crash or an outage are removed when they
 * expire.
 */
function removeLater(ctx: Context, ids: readonly string[]): void {
  const { organization, background, log } = ctx
  removalsOf(ctx.elastic).add(
    organization.id,
    ids,
    (waiting) =>
      removeUnshown(ctx, organization.id, [...new Set(waiting.flat())]).catch((error: unknown) =>
        logFailure(log, NAME, error),
      ),
    (removals) => background.run(NAME, () => removals, loadOwner(organization)),
  )
}

async function removeUnshown(services: Services, organization: string, ids: readonly string[]) {
  await forEach(services, {
    name: NAME,
    items: unshownImages(services, ids),
    work: (some) => Promise.all(some.map((id) => forgetImage(services, organization, id, {}))),
  })
  await imagesOf(services, organization).refresh({ shared: true })
}

/** Those of the pictures that no product shows, in portions that are removed at once. */
async function* unshownImages(services: Services, ids: readonly string[]) {
  for (const some of slicesOf(ids, limits.imagesPerRequest)) {
    const shown = await shownImages(services, some)
    const unshown = some.filter((id) => !shown.has(id))
    yield [...slicesOf(unshown, AT_ONCE)]
  }
}

interface ForgetOptions {
  readonly refresh?: true
  /** The record when it was decided. A picture whose record began anew since then is kept. */
  readonly seen?: Pick<ImageRecord, 'expires'>
}

/** Removes the bytes and the record of a picture of the organization. */
export async function forgetImage(
  services: Services,
  organization: string,
  id: string,
  { seen, ...options }: ForgetOptions = { refresh: true },
) {
  const images = imagesOf(services, organization)
  const found = await images.get(id)
  if (!found || (seen && seen.expires !== found.source.expires)) return
  await removeImage(services, id)
  await images.remove(id, options)
}
