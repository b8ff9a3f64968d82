import { createHash } from 'node:crypto'
import { pictureLibrary } from '../images/library.ts'
import { imageUrl, isKept, keepImage } from '../images/store.ts'
import type { Services } from '../operation.ts'
import { families } from './families/index.ts'
import type { Maker } from './makers.ts'
import type { PictureOf } from './products.ts'
import { shapes } from './shapes.ts'

/** Raised when the drawings change, since an address shows the same picture forever. */
const EDITION = 1

/** A picture of the demo has the same address on every machine, so that it is drawn only once. */
const keyOf = (family: string, maker: Maker): Buffer =>
  createHash('sha256')
    .update(`aisle demo picture ${EDITION} ${family} ${maker.name}`)
    .digest()
    .subarray(0, 16)

/** Where the picture of a family's product from a maker is, or will be. */
export const demoPicture =
  (services: Pick<Services, 'publicUrl'>): PictureOf =>
  (family, maker) => {
    const id = `${keyOf(family, maker).toString('base64url')}.png`
    return { id, url: imageUrl(services, id), type: 'image/png' }
  }

/** Draws one picture for each maker of each family, where it is missing. */
export async function keepPictures(services: Services): Promise<void> {
  const wanted = families.flatMap(({ key, makers }) =>
    makers.map((maker) => ({ family: key, maker })),
  )
  await Promise.all(
    wanted.map(async ({ family, maker }) => {
      if (await isKept(services, demoPicture(services)(family, maker).id)) return
      await keepImage(services, { bytes: await draw(family, maker), key: keyOf(family, maker) })
    }),
  )
}

/** A PNG of 640 x 480. */
export async function draw(family: string, maker: Maker): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 320 240">
    <rect width="320" height="240" fill="#f5f7f9"/>
    <ellipse cx="160" cy="212" rx="120" ry="10" fill="#dde3e8"/>
    ${shapes[family]!(maker.tint)}
  </svg>`
  const sharp = await pictureLibrary()
  return sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9 }).toBuffer()
}
