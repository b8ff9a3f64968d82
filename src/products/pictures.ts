import type { ProductPatch } from './patch.ts'
import type { FetchedPicture, Product, ProductDocument } from './product.ts'

/** Addresses of the pictures that the catalog gives a product, each once. */
export const pictureAddresses = ({ image, images }: Pick<Product, 'image' | 'images'>) => [
  ...new Set([...(image === null ? [] : [image]), ...images.map(({ url }) => url)]),
]

type Pictured = Pick<ProductDocument, 'product' | 'pictures'>

/** Fetched pictures whose address the product still has; undefined for none. */
export function usedPictures({
  product,
  pictures = [],
}: Pictured): readonly FetchedPicture[] | undefined {
  if (pictures.length === 0) return undefined
  const addresses = new Set(pictureAddresses(product))
  const used = pictures.filter(({ source }) => addresses.has(source))
  if (used.length === 0) return undefined
  return used.length === pictures.length ? pictures : used
}

/** The fetched pictures of a product after some more, which replace those of the same address. */
export function withFetched(
  { pictures = [] }: Pick<ProductDocument, 'pictures'>,
  more: readonly FetchedPicture[],
): readonly FetchedPicture[] {
  const replaced = new Set(more.map(({ source }) => source))
  return [...pictures.filter(({ source }) => !replaced.has(source)), ...more]
}

/** What a product is shown with in place of an address; undefined where nothing was fetched. */
export const fetchedFrom = (
  pictures: readonly FetchedPicture[] = [],
  address: string | null,
): string | undefined => pictures.find(({ source }) => source === address)?.url

/** A patch that has the addresses of the catalog again in place of what the product is shown with. */
export function withSources<P extends Pick<ProductPatch, 'image' | 'images'>>(
  patch: P,
  { pictures }: Pick<ProductDocument, 'pictures'>,
): P {
  if (!pictures || (!patch.image && !patch.images)) return patch
  const sourceOf = (url: string) => pictures.find((one) => one.url === url)?.source ?? url
  return {
    ...patch,
    ...(patch.image ? { image: sourceOf(patch.image) } : {}),
    ...(patch.images
      ? { images: patch.images.map((image) => ({ ...image, url: sourceOf(image.url) })) }
      : {}),
  }
}
