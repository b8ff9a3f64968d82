import type { Sharp } from 'sharp'
import { Failure, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { createLane } from '../platform/lane.ts'
import type { ImageKind } from './kinds.ts'
import { pictureLibrary } from './library.ts'

/** The threads are the process's, and so is the bound. */
const lane = createLane({
  atOnce: limits.imagesAtOnce,
  waiting: limits.imagesWaiting,
  what: 'pictures',
})

const ENCODERS: Record<ImageKind, (image: Sharp) => Sharp> = {
  png: (image) => image.png(),
  jpg: (image) => image.jpeg({ quality: 90 }),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 90, effort: 2 }),
}
const FORMATS: Record<ImageKind, string> = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp' }

/**
 * The picture decoded and encoded anew, upright and without metadata; what moves goes on moving.
 * Throws Invalid for what cannot be decoded or has too many pixels, TooManyRequests.
 */
export const cleanPicture = (bytes: Buffer, kind: ImageKind, signal: AbortSignal) =>
  lane.run(signal, () => encodeAnew(bytes, kind))

async function encodeAnew(bytes: Buffer, kind: ImageKind): Promise<Buffer> {
  const sharp = await pictureLibrary()
  try {
    const image = sharp(bytes, {
      animated: true,
      failOn: 'error',
      limitInputPixels: limits.imagePixels,
    })
    const { format, pages = 1 } = await image.metadata()
    if (format !== FORMATS[kind]) throw new Invalid('file: the picture is damaged')
    const upright = pages > 1 ? image : image.autoOrient()
    return await ENCODERS[kind](upright)
      .timeout({ seconds: limits.imageMs / 1000 })
      .toBuffer()
  } catch (error) {
    throw error instanceof Failure ? error : refusal(error)
  }
}

/** Of a library that reads hostile bytes only the kind of the failure is passed on. */
function refusal(error: unknown): Invalid {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) {
    return new Invalid(
      `file: the picture has more than ${limits.imagePixels} pixels, all frames together`,
    )
  }
  if (/timeout/i.test(text)) return new Invalid('file: the picture takes too long to decode')
  return new Invalid('file: the picture is damaged')
}
