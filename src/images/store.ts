import { randomBytes } from 'node:crypto'
import { Invalid, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Bytes, Services } from '../operation.ts'
import { IMAGE_TYPES, type ImageKind, imageKind } from './kinds.ts'

/** A picture that is kept; its bytes never change, so whoever has seen it may keep it forever. */
export interface KeptImage {
  /** `<128 bits>.<kind>`: as good as a secret until somebody shows it. */
  readonly id: string
  readonly url: string
  readonly type: string
}

type ImageServices = Pick<Services, 'files' | 'publicUrl'>

const ID = /^([A-Za-z0-9_-]{22})\.(png|jpg|gif|webp)$/

/** The name in the FileStore, which has no dots; undefined for what cannot be an image's id. */
function fileName(id: string): { name: string; kind: ImageKind } | undefined {
  const [, key, kind] = ID.exec(id) ?? []
  return key === undefined ? undefined : { name: `image-${key}-${kind}`, kind: kind as ImageKind }
}

const imageUrl = ({ publicUrl }: Pick<Services, 'publicUrl'>, id: string): string =>
  `${publicUrl}/api/images/${id}`

/** A new id, which nobody can guess. */
export const imageId = (kind: ImageKind): string =>
  `${randomBytes(16).toString('base64url')}.${kind}`

/** What the bytes are. Throws Invalid for anything but PNG, JPEG, GIF and WebP. */
export function wantedKind(bytes: Uint8Array): ImageKind {
  const kind = imageKind(bytes)
  if (!kind) throw new Invalid('file: must be a PNG, JPEG, GIF or WebP picture')
  return kind
}

/** Where the picture of an id is, or will be. */
export const keptImage = (services: Pick<Services, 'publicUrl'>, id: string): KeptImage => ({
  id,
  url: imageUrl(services, id),
  type: IMAGE_TYPES[fileName(id)!.kind],
})

/** Stores the bytes of an id that `imageId` made. */
export async function writeImage(
  { files }: Pick<Services, 'files'>,
  id: string,
  bytes: Uint8Array,
) {
  await files.write(fileName(id)!.name, chunks(bytes), limits.keptImageBytes)
}

/** Removes the bytes; whoever has the picture in a cache still sees it. */
export async function removeImage({ files }: Pick<Services, 'files'>, id: string): Promise<void> {
  await files.remove(fileName(id)!.name)
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Whether the bytes of a picture are there. */
export async function isKept({ files }: Pick<Services, 'files'>, id: string): Promise<boolean> {
  const file = fileName(id)
  const body = file && (await files.read(file.name))
  await body?.cancel()
  return body !== undefined
}

/** A picture by its id. Throws NotFound, also for text that is no id. */
export async function openImage(services: ImageServices, id: string): Promise<Bytes> {
  const file = fileName(id)
  const body = file && (await services.files.read(file.name))
  if (!body) throw new NotFound('Image')
  return {
    type: IMAGE_TYPES[file.kind],
    length: null,
    body,
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }
}
