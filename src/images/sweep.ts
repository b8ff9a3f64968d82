import type { Scoped } from '../elastic/scan.ts'
import { scanExpired } from '../files/expired.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { type ImageRecord, imagesOf, nextCheck, shownImages } from './records.ts'
import { forgetImage } from './remove.ts'

interface ImageCheck {
  readonly image: Scoped<ImageRecord>
  readonly isShown: boolean
}

/**
 * Removes pictures that no product shows, neither now nor at the previous check, so that one
 * removed by mistake a moment ago can be restored.
 */
export const sweepImages = (services: Services, signal?: AbortSignal): Promise<number> =>
  forEach(services, {
    name: 'look at pictures',
    items: imageChecks(services),
    work: (look) => {
      const { image, isShown } = look
      if (isShown || image.shown !== false) return keepOn(services, look)
      return forgetImage(services, image.scope, image.id, { refresh: true, seen: image })
    },
    signal,
  })

async function* imageChecks(services: Services): AsyncGenerator<readonly ImageCheck[]> {
  for await (const batch of scanExpired<ImageRecord>(services, 'images', true)) {
    const shown = await shownImages(
      services,
      batch.map(({ id }) => id),
    )
    yield batch.map((image) => ({ image, isShown: shown.has(image.id) }))
  }
}

async function keepOn(services: Services, { image: { scope, ...image }, isShown }: ImageCheck) {
  const next = { ...image, expires: nextCheck(services.clock.now()), shown: isShown }
  await imagesOf(services, scope).put(image.id, next, { refresh: true })
}
