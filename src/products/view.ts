import type { PricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import type { Context, HideableField, KeyType } from '../operation.ts'
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

/** The viewer that a product is shown to. */
export interface Viewer {
  /** The organization in effect, whose annotations are shown. */
  readonly organization: string
  readonly username: string
  readonly keyType: KeyType
  /** What the viewer's key may not see; nothing when absent. */
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

/** Offers without what their viewer may not see: null, or empty where there is no null. */
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

/** Catalog data without what its viewer may not see. */
export function shownProduct(product: Product, viewer: Pick<Viewer, 'hide'>): Product {
  const { hide = [] } = viewer
  if (hide.length === 0) return product
  return {
    ...product,
    vendors: shownOffers(product.vendors, viewer),
    ...(hide.includes('msrp') ? { msrp: null } : {}),
  }
}

/** Fields of the source that a view needs; never another organization's annotations. */
export const viewSource = (organization: string): string[] => [
  'product',
  `annotations.${organization}`,
  'pictures',
]

/** The result of a read with viewSource. */
export type ViewableDocument = Pick<ProductDocument, 'product'> & Partial<ProductDocument>

interface ShownImage extends ProductImage {
  readonly isCustom: boolean
  /** As `imageSource`. */
  readonly source?: string
}

/** A product as its caller sees it: Product 4.0, of which 1.0 is a part. */
export interface ProductView
  extends Omit<
    Product,
    'images' | 'links' | 'upcs' | 'version' | 'vendors' | 'groupId' | 'hidden'
  > {
  readonly images: readonly ShownImage[]
  /** Where the main picture was fetched from; absent of others, and for search keys. */
  readonly imageSource?: string
  /** Absent when the caller asked for no vendor details. */
  readonly vendors?: readonly Offer[]
  /** Of the price list that is shown, as they are now; absent without one. */
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

/** Catalog data with the annotations of the viewer's organization, in the interface's order. */
export function viewProduct(document: ViewableDocument, viewer: Viewer): ProductView {
  const product = shownProduct(document.product, viewer)
  // Last, in the field order of the interface.
  const { upcs, version, groupId, options, hidden, ...data } = product
  const all = annotationsOf(document.annotations, viewer.organization)
  // Search keys are embedded in web pages, so notes and marks, and whose they are, stay hidden from
  // them.
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

const isSameLink = (a: ProductLink, b: ProductLink): boolean =>
  a.type === b.type && a.value === b.value

function linksOf({ links }: Product, annotations: Annotations): readonly ProductLink[] {
  if (annotations.links.length === 0) return links
  const added = annotations.links.filter((link) => !links.some((own) => isSameLink(own, link)))
  return [...links, ...added]
}

/**
 * A patch of what was answered before: links that are annotations already are no catalog data, unless
 * they were before, and fetched pictures are what they were fetched from.
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
  const annotated = annotationsOf(annotations, organization).links
  return links.filter(
    (link) =>
      !annotated.some((other) => isSameLink(link, other)) ||
      product.links.some((other) => isSameLink(link, other)),
  )
}
