import { usedPictures } from './pictures.ts'
import type { Product, ProductDocument } from './product.ts'

const PATH = '/api/images/'
const ID = /^[A-Za-z0-9_-]{22}\.(?:png|jpg|gif|webp)(?=$|[?#])/

/** The id in the address of a stored picture, whatever its host; else undefined. */
export function imageIdIn(url: string): string | undefined {
  const at = url.lastIndexOf(PATH)
  return at === -1 ? undefined : ID.exec(url.slice(at + PATH.length))?.[0]
}

/** Ids of the stored pictures that a product shows to anybody; undefined for none. */
export function linkedImages(
  document: Pick<ProductDocument, 'product' | 'annotations' | 'pictures'>,
): string[] | undefined {
  const { product, annotations } = document
  const ids = new Set<string>()
  const add = (url: string | null) => {
    const id = url === null ? undefined : imageIdIn(url)
    if (id !== undefined) ids.add(id)
  }
  addProduct(product, add)
  for (const { url } of usedPictures(document) ?? []) add(url)
  for (const { images } of Object.values(annotations)) for (const { url } of images) add(url)
  return ids.size === 0 ? undefined : [...ids]
}

function addProduct({ image, images }: Product, add: (url: string | null) => void): void {
  add(image)
  for (const { url } of images) add(url)
}
