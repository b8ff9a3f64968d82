import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { ProductPatch } from './patch.ts'
import type { FetchedPicture, Product, ProductDocument } from './product.ts'

/** The distinct URLs of a product's pictures in the catalog. */
export const pictureAddresses = ({ image, images }: Pick<Product, 'image' | 'images'>) => [
  ...new Set([...(image === null ? [] : [image]), ...images.map(({ url }) => url)]),
]

type Pictured = Pick<ProductDocument, 'product' | 'pictures'>

/** Fetched pictures whose source the product still has; undefined if there are none. */
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

/** Adds fetched pictures, which replace those from the same source. */
export function withFetched(
  { pictures = [] }: Pick<ProductDocument, 'pictures'>,
  more: readonly FetchedPicture[],
): readonly FetchedPicture[] {
  const replaced = new Set(more.map(({ source }) => source))
  return [...pictures.filter(({ source }) => !replaced.has(source)), ...more]
}

/** By their sources, once for a product, which may have hundreds. */
const urlsOf = memoizeWeak(
  (pictures: readonly FetchedPicture[]) =>
    new Map(pictures.map(({ source, url }) => [source, url])),
)

/** The URL of the picture fetched from an address; undefined if there is none. */
export const fetchedFrom = (
  pictures: readonly FetchedPicture[] = [],
  address: string | null,
): string | undefined => (address === null ? undefined : urlsOf(pictures).get(address))

/** Replaces URLs of fetched pictures in a patch with their sources in the catalog. */
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
