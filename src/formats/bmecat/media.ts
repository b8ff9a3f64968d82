import { limits } from '../../limits.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { childOf, childrenOf, childText, type XmlNode } from '../text/xml-trees.ts'

const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i

/**
 * The addresses of pictures and documents of an ARTICLE or PRODUCT, relative ones based on `root`.
 * `withoutAddress`: some have none, since their files were delivered beside the catalog. Stops at
 * the first one beyond the limit of a product.
 */
export function mediaOf(product: XmlNode, root: string) {
  const images = new Set<string>()
  const links: [type: string, url: string][] = []
  let withoutAddress = false
  for (const mime of childrenOf(childOf(product, 'MIME_INFO'), 'MIME')) {
    if (Math.max(images.size, links.length) > limits.productListEntries) break
    const source = childText(mime, 'MIME_SOURCE')
    const url = addressOf(source, root)
    if (url === undefined) withoutAddress ||= source !== ''
    else if (isPicture(mime, url)) images.add(url)
    else
      links.push([
        childText(mime, 'MIME_DESCR') || childText(mime, 'MIME_PURPOSE') || 'document',
        url,
      ])
  }
  return { images: [...images], links, withoutAddress }
}

function isPicture(mime: XmlNode, url: string): boolean {
  const type = childText(mime, 'MIME_TYPE').toLowerCase()
  return type.startsWith('image/') || (type === '' && PICTURE.test(url))
}

function addressOf(source: string, root: string): string | undefined {
  if (source === '') return undefined
  const base = /^https?:\/\//i.test(root) ? `${root.replace(/\/?$/, '')}/` : undefined
  const url = parseUrl(source, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
