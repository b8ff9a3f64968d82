import { childOf, childrenOf, textOf, type XmlNode } from './xml-trees.ts'

/** Pictures and documents of a product that have an address. */
export interface Media {
  readonly images: readonly string[]
  readonly links: readonly (readonly [type: string, url: string])[]
  /** Some have no address: their files came beside the catalog. */
  readonly withoutAddress: boolean
}

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i

/** The pictures and documents of an ARTICLE or PRODUCT; `root` begins relative ones. */
export function mediaOf(product: XmlNode, root: string): Media {
  const images: string[] = []
  const links: [string, string][] = []
  let withoutAddress = false
  for (const mime of childrenOf(childOf(product, 'MIME_INFO'), 'MIME')) {
    const source = textOf(mime, 'MIME_SOURCE')
    const url = addressOf(source, root)
    if (url === undefined) withoutAddress ||= source !== ''
    else if (isPicture(mime, url)) images.push(url)
    else links.push([textOf(mime, 'MIME_DESCR') || textOf(mime, 'MIME_PURPOSE') || 'document', url])
  }
  return { images: [...new Set(images)], links, withoutAddress }
}

function isPicture(mime: XmlNode, url: string): boolean {
  const type = textOf(mime, 'MIME_TYPE').toLowerCase()
  return type.startsWith('image/') || (type === '' && PICTURE.test(url))
}

function addressOf(source: string, root: string): string | undefined {
  if (source === '') return undefined
  const base = /^https?:\/\//i.test(root) ? `${root.replace(/\/?$/, '')}/` : undefined
  const url = URL.parse(source, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
