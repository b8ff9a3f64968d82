import type { PricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import type { Context, HideableField, KeyType } from '../operation.ts'
import { token } from '../text.ts'
import { type PriceLine, pricesIn } from './list-prices.ts'
import type { ProductPatch } from './patch.ts'
import { fetchedFrom, withSources } from './pictures.ts'
import {
  type Annotations,
  annotationsOf,
  type ExtensionField,
  type FetchedPicture,
  noAnnotations,
  type Offer,
  type Product,
  type ProductDocument,
  type ProductImage,
  type ProductLink,
} from './product.ts'

/** The caller to whom a product is shown. */
export interface Viewer {
  /** The organization in effect, whose annotations are shown. */
  readonly organization: string
  readonly username: string
  readonly keyType: KeyType
  /** Fields that the viewer's key may not see; none when absent. */
  readonly hide?: readonly HideableField[]
  /** The price list that is shown; none when absent. */
  readonly prices?: PricesInEffect | undefined
}

export const viewerOf = ({ organization, caller }: Context, prices?: PricesInEffect): Viewer => ({
  organization: organization.id,
  username: caller.username,
  keyType: caller.keyType,
  ...(caller.bounds ? { hide: caller.bounds.hide } : {}),
  ...(prices ? { prices } : {}),
})

/** Offers with hidden fields set to null, or to an empty string if they cannot be null. */
export function shownOffers<O extends Offer>(
  offers: readonly O[],
  { hide = [] }: Pick<Viewer, 'hide'>,
): readonly O[] {
  const hidden = {
    ...(hide.includes('vendors.vendorName') ? { vendorName: '' } : {}),
    ...(hide.includes('vendors.vendorPartNumber') ? { vendorPartNumber: null } : {}),
    ...(hide.includes('vendors.cost') ? { cost: null } : {}),
    ...(hide.includes('vendors.onHand') ? { onHand: null } : {}),
  }
  return Object.keys(hidden).length === 0 ? offers : offers.map((one) => ({ ...one, ...hidden }))
}

/** Catalog data without the fields that the viewer may not see. */
export function shownProduct(product: Product, viewer: Pick<Viewer, 'hide'>): Product {
  const { hide = [] } = viewer
  if (hide.length === 0) return product
  return {
    ...product,
    vendors: shownOffers(product.vendors, viewer),
    ...(hide.includes('msrp') ? { msrp: null } : {}),
  }
}

/** `_source` paths that a view needs, without annotations of other organizations. */
export const viewSource = (organization: string): string[] => [
  'product',
  `annotations.${organization}`,
  'pictures',
]

/** The result of a read with viewSource. */
export type ViewableDocument = Pick<ProductDocument, 'product'> & Partial<ProductDocument>

interface ShownImage extends ProductImage {
  readonly isCustom: boolean
  /** URL from which the picture was fetched. */
  readonly source?: string
}

/** A product as the caller sees it: Product 4.0, of which 1.0 is a part. */
export interface ProductView
  extends Omit<
    Product,
    'images' | 'links' | 'upcs' | 'version' | 'vendors' | 'groupId' | 'hidden' | 'created'
  > {
  readonly images: readonly ShownImage[]
  /** URL from which the main picture was fetched; absent if it was not, and for search keys. */
  readonly imageSource?: string
  /** Absent if the caller did not want vendor details. */
  readonly vendors?: readonly Offer[]
  /** Current prices in the price list that is shown; absent without one. */
  readonly prices?: readonly PriceLine[]
  readonly links: readonly ProductLink[]
  readonly notes: readonly { username: string; text: string }[]
  readonly extensionFields: readonly ExtensionField[]
  readonly groupId?: string
  readonly hidden?: true
  readonly favorite: { readonly company: boolean; readonly user: boolean }
  readonly upcs: readonly string[]
  readonly tags: readonly string[]
  readonly userTags: readonly string[]
  /** For If-Match. */
  readonly version: string
}

/** Catalog data with the annotations of the viewer's organization, in the API's field order. */
export function viewProduct(document: ViewableDocument, viewer: Viewer): ProductView {
  const product = shownProduct(document.product, viewer)
  // These come last in the field order of the API, or are not shown.
  const { upcs, version, groupId, options, hidden, created: _, ...data } = product
  const all = annotationsOf(document.annotations, viewer.organization)
  // Search keys are public in web pages, so they do not see notes, marks and their users.
  const isPublic = viewer.keyType === 'search'
  const personal = isPublic ? noAnnotations : all
  const { pictures } = document
  const image = fetchedFrom(pictures, data.image)
  return {
    ...data,
    image: image ?? data.image,
    updatedBy: isPublic ? null : data.updatedBy,
    images: imagesOf(product, all, { pictures, isPublic }),
    ...(viewer.prices ? { prices: pricesIn(document.listPrices, viewer.prices) } : {}),
    links: viewer.hide?.includes('links') ? [] : linksOf(product, all),
    notes: personal.notes.map(({ username, text }) => ({ username, text })),
    extensionFields: personal.extensionFields,
    favorite: {
      company: personal.favorite,
      user: personal.favoriteUsers.includes(viewer.username),
    },
    ...(groupId ? { groupId } : {}),
    ...(options && Object.keys(options).length > 0 ? { options } : {}),
    ...(hidden ? { hidden } : {}),
    ...(image !== undefined && data.image && !isPublic ? { imageSource: data.image } : {}),
    upcs,
    tags: personal.tags,
    userTags: tagsOf(personal, viewer.username),
    version: String(version),
  }
}

const shownImage = ({ id, url, name, type }: ProductImage, isCustom: boolean) => ({
  id,
  url,
  name,
  type,
  isCustom,
})

interface Fetched {
  readonly pictures: readonly FetchedPicture[] | undefined
  readonly isPublic: boolean
}

function imagesOf(product: Product, annotations: Annotations, { pictures, isPublic }: Fetched) {
  const own = product.images.map((image): ShownImage => {
    const url = fetchedFrom(pictures, image.url)
    const shown = shownImage({ ...image, url: url ?? image.url }, false)
    return url === undefined || isPublic ? shown : { ...shown, source: image.url }
  })
  return [...own, ...annotations.images.map((image) => shownImage(image, true))]
}

const tagsOf = ({ userTags }: Annotations, username: string): readonly string[] =>
  Object.hasOwn(userTags, username) ? userTags[username]! : []

const linkKey = ({ type, value }: ProductLink): string => token(type, value)
const keysOf = (links: readonly ProductLink[]): ReadonlySet<string> => new Set(links.map(linkKey))

function linksOf({ links }: Product, annotations: Annotations): readonly ProductLink[] {
  if (annotations.links.length === 0) return links
  const own = keysOf(links)
  return [...links, ...annotations.links.filter((link) => !own.has(linkKey(link)))]
}

/**
 * Converts a product that was returned before into a patch of catalog data. Leaves out links that
 * are only annotations, and replaces URLs of fetched pictures with their sources.
 */
export function catalogPatch<P extends Pick<ProductPatch, 'links' | 'image' | 'images'>>(
  patch: P,
  document: ProductDocument,
  organization: string,
): P {
  const { links } = patch
  const sent = withSources(patch, document)
  return links ? { ...sent, links: catalogLinks(links, document, organization) } : sent
}

function catalogLinks(
  links: readonly ProductLink[],
  { product, annotations }: ProductDocument,
  organization: string,
): readonly ProductLink[] {
  const annotated = keysOf(annotationsOf(annotations, organization).links)
  const own = keysOf(product.links)
  return links.filter((link) => !annotated.has(linkKey(link)) || own.has(linkKey(link)))
}
