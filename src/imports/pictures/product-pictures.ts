import { type CatalogScope, openTaskCatalog, taskCatalogOf } from '../../catalogs/store.ts'
import { ignoring, NotFound } from '../../errors.ts'
import { safeCsvText } from '../../formats/rows/rejected-line.ts'
import { mapLimited } from '../../platform/map-limited.ts'
import { imageIdIn } from '../../products/image-ids.ts'
import { pictureAddresses, withFetched } from '../../products/pictures.ts'
import type { FetchedPicture, Product, ProductDocument } from '../../products/product.ts'
import { changeProduct } from '../../products/store.ts'
import { retryUntilCancelled } from '../../tasks/backoff.ts'
import type { WithSlot } from '../../tasks/slots.ts'
import type { TaskRunContext } from '../../tasks/task.ts'
import { PictureFailure } from './download.ts'
import type { createFetching } from './fetching.ts'
import type { PictureCounts } from './job.ts'

/** The fields of a product that are read to fetch its pictures. Empty lists are absent. */
export interface PicturedDocument extends Pick<ProductDocument, 'pictures'> {
  readonly product: Pick<Product, 'id'> & Partial<Pick<Product, 'image' | 'images'>>
}

export interface PicturesDone extends PictureCounts {
  /** Lines of the list of pictures that could not be fetched. */
  readonly failures: readonly string[]
}

interface ProductPictures {
  readonly scope: CatalogScope
  readonly document: PicturedDocument
  readonly refresh: boolean
  readonly fetching: ReturnType<typeof createFetching>
  readonly signal: AbortSignal
  readonly withSlot: WithSlot
}

/** Pictures of a product that are under way or wait for their host. */
const AT_ONCE = 8

/** Fetches the pictures of one product and adds them to it. */
export async function productPictures(
  run: TaskRunContext,
  { scope, document, refresh, fetching, signal, withSlot }: ProductPictures,
): Promise<PicturesDone> {
  const { task } = run
  const { id, image = null, images = [] } = document.product
  const addresses = pictureAddresses({ image, images }).filter(
    (address) => imageIdIn(address) === undefined,
  )
  const knownBy = new Map((document.pictures ?? []).map((one) => [one.source, one]))
  const results = await mapLimited(addresses, AT_ONCE, async (address) => {
    const known = knownBy.get(address)
    // A picture that this task fetched before an interruption is not fetched again.
    if (known && (!refresh || known.task === task.id)) return known
    return fetching(address, known, { signal, withSlot })
  })
  const kept = results.filter((one) => !(one instanceof PictureFailure)) as FetchedPicture[]
  const isNew = ({ source, url }: FetchedPicture) => knownBy.get(source)?.url !== url
  const added = kept.filter(isNew).map((one) => ({ ...one, task: task.id }))
  if (added.length > 0) await withSlot(() => show(run, scope, { id, added }))
  const own = kept.filter((one) => !isNew(one) && knownBy.get(one.source)!.task === task.id)
  const failures = results.flatMap((one, at) =>
    one instanceof PictureFailure ? [safeCsvText([one.message, id, addresses[at]!])] : [],
  )
  const fetched = added.length + own.length
  return { fetched, unchanged: kept.length - fetched, failed: failures.length, failures }
}

/** Adds pictures to a product, unless it is gone. */
async function show(
  { ctx, isCancelled, assertLease }: TaskRunContext,
  scope: CatalogScope,
  { id, added }: { id: string; added: readonly FetchedPicture[] },
): Promise<void> {
  await retryUntilCancelled(isCancelled, async () => {
    await openTaskCatalog(ctx, taskCatalogOf(scope))
    assertLease()
    await changeProduct(ctx, scope, id, (document) => ({
      ...document,
      pictures: withFetched(document, added),
    })).catch(ignoring(NotFound))
  })
}
