import type { Metadata, Sharp } from 'sharp'
import { Failure, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { createAdmission } from '../platform/admission.ts'
import { chargeCpuTime } from '../platform/charge-cpu-time.ts'
import { IMAGE_TYPES, type ImageKind } from './image-kinds.ts'
import { loadSharp } from './load-sharp.ts'
import { checkedParts, checkFrames } from './picture-parts.ts'
import { type Limited, sizesOf, withinImageMs } from './resize.ts'
import type { SizedPicture } from './sizes.ts'

/** One limit per process, since its threads are shared. */
const admission = createAdmission({
  capacity: limits.imagesAtOnce,
  share: limits.imagesAtOnce,
  waiting: limits.imagesWaiting,
  ownerWaiting: limits.organizationImagesWaiting,
  waitMs: limits.imageWaitMs,
  // A decoder fills a core.
  pauses: true,
  what: 'pictures',
})

const ENCODERS: Record<ImageKind, (image: Sharp) => Sharp> = {
  png: (image) => image.png(),
  jpg: (image) => image.jpeg({ quality: 90 }),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 90, effort: 2 }),
}

/**
 * Decodes a picture and encodes it again, upright, without metadata and with smaller sizes.
 * Animations stay animated. Organizations take turns by `owner`, a key from `loadOwner`. Throws
 * Invalid if it cannot be decoded or is too large, TooManyRequests.
 */
export function sanitizePicture(
  { bytes, kind, owner }: { bytes: Buffer; kind: ImageKind; owner: string },
  signal: AbortSignal,
): Promise<SizedPicture> {
  const decode = async () => {
    const limited = withinImageMs()
    const checked = chargeCpuTime(() => checkedParts(bytes, kind))
    const picture = await reencode(checked, kind, limited)
    return { bytes: picture, sizes: await sizesOf(picture, limited) }
  }
  return admission.run(owner, decode, { signal })
}

async function reencode(bytes: Buffer, kind: ImageKind, limited: Limited): Promise<Buffer> {
  const sharp = await loadSharp()
  try {
    const image = sharp(bytes, {
      animated: true,
      failOn: 'error',
      limitInputPixels: limits.imagePixels,
    })
    const header = await image.metadata()
    if (`image/${header.format}` !== IMAGE_TYPES[kind]) {
      throw new Invalid('file: the picture is damaged')
    }
    const { pages = 1 } = header
    checkFrames(pages)
    checkSize(header)
    const upright = pages > 1 ? image : image.autoOrient()
    return await limited(ENCODERS[kind](upright)).toBuffer()
  } catch (error) {
    throw error instanceof Failure ? error : refusal(error)
  }
}

/**
 * Checks the size before anything is decoded. Sides are limited besides the area, since a whole row
 * is held in memory.
 */
function checkSize({ format, width, height, pageHeight, ...header }: Metadata): void {
  if (Math.max(width, pageHeight ?? height) > limits.imageSide) {
    throw new Invalid(`file: the picture is wider or higher than ${limits.imageSide} pixels`)
  }
  const isTurned = (header.orientation ?? 1) > 1
  const isWhole = isTurned || header.isProgressive || format === 'gif' || format === 'webp'
  if (isWhole && width * height > limits.heldImagePixels) {
    throw new Invalid(
      `file: a GIF or WebP picture, or a progressive or rotated one, has at most ${limits.heldImagePixels} pixels in all frames; save it as a plain JPEG or PNG`,
    )
  }
}

/** sharp reads untrusted bytes, so only the kind of its failure is passed on. */
function refusal(error: unknown): Invalid {
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(text)) {
    return new Invalid(`file: the picture has more than ${limits.imagePixels} pixels in all frames`)
  }
  if (/timeout/i.test(text)) return new Invalid('file: the picture takes too long to decode')
  return new Invalid('file: the picture is damaged')
}
