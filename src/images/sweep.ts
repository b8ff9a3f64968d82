import { type Expired, expired, forEach } from '../files/expired.ts'
import type { Services } from '../operation.ts'
import { type ImageRecord, imagesOf, nextLook, shownImages } from './records.ts'
import { forgetImage } from './remove.ts'

interface Look {
  readonly image: Expired<ImageRecord>
  readonly isShown: boolean
}

/** Removes saved pictures that no product shows when their time is up; others get another term. */
export const sweepImages = (services: Services): Promise<number> =>
  forEach(services, 'look at pictures', looks(services), ({ image, isShown }) =>
    isShown ? keepOn(services, image) : forgetImage(services, image.scope, image.id),
  )

async function* looks(services: Services): AsyncGenerator<readonly Look[]> {
  for await (const batch of expired<ImageRecord>(services, 'images')) {
    const shown = await shownImages(
      services,
      batch.map(({ id }) => id),
    )
    yield batch.map((image) => ({ image, isShown: shown.has(image.id) }))
  }
}

async function keepOn(services: Services, { scope, ...image }: Expired<ImageRecord>) {
  const expires = nextLook(services.clock.now())
  await imagesOf(services, scope).put(image.id, { ...image, expires }, { refresh: true })
}
