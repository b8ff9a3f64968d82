import type { Sharp } from 'sharp'
import { limits } from '../limits.ts'
import { loadSharp } from './load-sharp.ts'
import { type PictureSize, WIDTHS } from './sizes.ts'

const WEBP = { quality: 80, effort: 2 }

/** Limits the time of one step of work on a picture. Throws an error named like that of sharp. */
export type Limited = (image: Sharp) => Sharp

/** The time of all steps of one picture together, from now on. A step has whole seconds. */
export function withinImageMs(clock = () => performance.now()): Limited {
  const until = clock() + limits.imageMs
  return (image) => {
    const seconds = Math.ceil((until - clock()) / 1000)
    // Zero would be no limit.
    if (seconds <= 0) throw new Error('timeout')
    return image.timeout({ seconds })
  }
}

/**
 * Makes the smaller sizes of a picture that was decoded before. A size is left out if it would
 * enlarge the picture, have more bytes, or take too long. Animations have none.
 */
export async function sizesOf(
  picture: Buffer,
  limited = withinImageMs(),
): Promise<readonly PictureSize[]> {
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
      const { data, info } = await limited(larger.resize(width)).raw().toBuffer({
        resolveWithObject: true,
      })
      larger = sharp(data, { raw: info })
      const bytes = await limited(larger.clone().webp(WEBP)).toBuffer()
      if (bytes.length < picture.length) sizes.unshift({ width, bytes })
    }
  } catch (error) {
    if (!(error instanceof Error && /timeout/i.test(error.message))) throw error
  }
  return sizes
}
