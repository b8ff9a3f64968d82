import { randomBytes } from 'node:crypto'
import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { BinaryAnswer, Services } from '../operation.ts'
import type { FileContent } from '../platform/file-store.ts'
import { IMAGE_TYPES, type ImageKind, imageKind } from './image-kinds.ts'
import { type SizedPicture, WIDTHS, widthsFor } from './sizes.ts'

/** A stored picture. Its bytes never change, so clients may cache it forever. */
export interface KeptImage {
  /** `<128 bits>.<kind>`: secret until somebody shares it. */
  readonly id: string
  readonly url: string
  readonly type: string
}

const ID_BYTES = 16
const ID = /^([A-Za-z0-9_-]{22})\.(png|jpg|gif|webp)$/

/** The name in the FileStore, which has no dots; undefined for text that cannot be an image id. */
function fileName(id: string): { name: string; kind: ImageKind } | undefined {
  const [, key, kind] = ID.exec(id) ?? []
  return key === undefined ? undefined : { name: `image-${key}-${kind}`, kind: kind as ImageKind }
}

/** The name of a smaller size of a picture. */
const sizeName = (name: string, width: number): string => `${name}-${width}`

/** A new, unguessable id. */
export const imageId = (kind: ImageKind): string => imageIdOf(randomBytes(ID_BYTES), kind)

/** An id made from the first 128 bits of `bits`, which must be unguessable. */
export const imageIdOf = (bits: Buffer, kind: ImageKind): string =>
  `${bits.subarray(0, ID_BYTES).toString('base64url')}.${kind}`

/** The type of the bytes. Throws Invalid for anything but PNG, JPEG, GIF and WebP. */
export function checkImageKind(bytes: Uint8Array): ImageKind {
  const kind = imageKind(bytes)
  if (!kind) throw new Invalid('file: must be a PNG, JPEG, GIF or WebP picture')
  return kind
}

/** The location of a picture, whether or not it exists yet. */
export const keptImage = ({ publicUrl }: Pick<Services, 'publicUrl'>, id: string): KeptImage => ({
  id,
  url: `${publicUrl}/api/images/${id}`,
  type: IMAGE_TYPES[fileName(id)!.kind],
})

/**
 * Stores a picture under an id from `imageId`. Its sizes are written first, so that they exist
 * whenever the picture does.
 */
export async function writeImage(
  { files }: Pick<Services, 'files'>,
  id: string,
  { bytes, sizes }: SizedPicture,
) {
  const { name } = fileName(id)!
  for (const size of sizes) {
    await files.write(sizeName(name, size.width), [size.bytes], limits.keptImageBytes)
  }
  await files.write(name, [bytes], limits.keptImageBytes)
}

/** Removes the bytes; cached copies stay visible. */
export async function removeImage({ files }: Pick<Services, 'files'>, id: string): Promise<void> {
  const { name } = fileName(id)!
  for (const width of WIDTHS) await files.remove(sizeName(name, width))
  await files.remove(name)
}

/** Whether the bytes of a picture exist, or those of its copy of `width`, one of WIDTHS. */
export async function imageExists(
  { files }: Pick<Services, 'files'>,
  id: string,
  width?: number,
): Promise<boolean> {
  const file = fileName(id)
  const found = file && (await files.read(width ? sizeName(file.name, width) : file.name))
  await found?.body.cancel()
  return found !== undefined
}

/**
 * Opens the narrowest size of a picture that has at least `width` pixels, else the picture itself.
 * Throws NotFound, also for text that is not an id.
 */
export async function openImage(
  { files }: Pick<Services, 'files'>,
  id: string,
  width = Infinity,
): Promise<BinaryAnswer> {
  const file = fileName(id)
  if (!file) throw new NotFound('Image')
  for (const size of widthsFor(width)) {
    const found = await files.read(sizeName(file.name, size))
    if (found) return imageAnswer('webp', found)
  }
  const found = await files.read(file.name)
  if (!found) throw new NotFound('Image')
  return imageAnswer(file.kind, found)
}

const imageAnswer = (kind: ImageKind, { bytes, body }: FileContent): BinaryAnswer => ({
  type: IMAGE_TYPES[kind],
  length: bytes,
  body,
  headers: { 'cache-control': 'public, max-age=31536000, immutable' },
})
