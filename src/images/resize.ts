import type { Sharp } from 'sharp'
import { limits } from '../limits.ts'
import { loadSharp } from './load-sharp.ts'
import { type PictureSize, WIDTHS } from './sizes.ts'

const WEBP = { quality: 80, effort: 2 }

/**
 * Makes the smaller sizes of a picture that was decoded before. A size is left out if it would
 * enlarge the picture, have more bytes, or take too long. Animations have none.
 */
export async function sizesOf(picture: Buffer): Promise<readonly PictureSize[]> {
  const sharp = await loadSharp()
  const source = sharp(picture, { limitInputPixels: limits.imagePixels })
  const { width: widest, height, pages = 1 } = await source.metadata()
  if (pages > 1) return []
  const isMade = (width: number) =>
    width < widest && (width / widest) * width * height <= limits.imageSizePixels
  const sizes: PictureSize[] = []
  let larger = source
  try {
    for (const width of WIDTHS.filter(isMade).toReversed()) {
      // Each is made from the next larger one, so that the picture is decoded once.
      const { data, info } = await timed(larger.resize(width)).raw().toBuffer({
        resolveWithObject: true,
      })
      larger = sharp(data, { raw: info })
      const bytes = await timed(larger.clone().webp(WEBP)).toBuffer()
      if (bytes.length < picture.length) sizes.unshift({ width, bytes })
    }
  } catch (error) {
    if (!(error instanceof Error && /timeout/i.test(error.message))) throw error
  }
  return sizes
}

const timed = (image: Sharp): Sharp => image.timeout({ seconds: limits.imageMs / 1000 })
