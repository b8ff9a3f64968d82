import { pictureAddresses, usedPictures } from './pictures.ts'
import type { ProductDocument } from './product.ts'

const PATH = '/api/images/'
const ID = /^[A-Za-z0-9_-]{22}\.(?:png|jpg|gif|webp)(?=$|[?#])/

/** The id in the URL of a stored picture on any host; undefined for other URLs. */
export function imageIdIn(url: string): string | undefined {
  const at = url.lastIndexOf(PATH)
  return at === -1 ? undefined : ID.exec(url.slice(at + PATH.length))?.[0]
}

/** Ids of all stored pictures that a product shows to any organization; undefined if none. */
export function linkedImages(
  document: Pick<ProductDocument, 'product' | 'annotations' | 'pictures'>,
): string[] | undefined {
  const { product, annotations } = document
  const ids = new Set<string>()
  const add = (url: string) => {
    const id = imageIdIn(url)
    if (id !== undefined) ids.add(id)
  }
  for (const url of pictureAddresses(product)) add(url)
  for (const { url } of usedPictures(document) ?? []) add(url)
  for (const { images } of Object.values(annotations)) for (const { url } of images) add(url)
  return ids.size === 0 ? undefined : [...ids]
}
