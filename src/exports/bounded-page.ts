import { inSteps } from '../platform/in-steps.ts'
import type { Steps } from '../platform/steps.ts'
import { toProduct40 } from '../products/responses.ts'
import type { PagePosition, ProductPage } from './selected-products.ts'

/** A page whose products are also written as JSON. */
interface WrittenPage extends ProductPage {
  readonly texts: readonly string[]
  readonly bytes: number
}

interface BoundedPages {
  readonly pageSize: number
  /** Bytes of the products of a page. One product may have more. */
  readonly maxBytes: number
  read(position: PagePosition): Promise<ProductPage>
}

/** Products that are read first, as long as their size is not known. */
const FIRST = 8

/** Sizes of pages, each about half of the next: 1, 2, 4, 8, 16, 32, 63, 125, 250. */
export function pageSizes(pageSize: number): number[] {
  const sizes = [pageSize]
  while (sizes[0]! > 1) sizes.unshift(Math.ceil(sizes[0]! / 2))
  return sizes
}

/**
 * Reads pages of the largest of `pageSizes` that fits into `maxBytes`, whatever the pages before
 * were, so that a page that is sent again is the same. Begins with the size of the last page, so
 * that hardly more than the page is read.
 */
export function createBoundedPages({ pageSize, maxBytes, read }: BoundedPages) {
  const sizes = pageSizes(pageSize)
  let at = sizes.findLastIndex((size) => size <= FIRST)

  const written = async (position: PagePosition): Promise<WrittenPage> => {
    const page = await read(position)
    const texts = await inSteps(textsOf(page))
    return {
      ...page,
      texts,
      bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0),
    }
  }

  return async (from: Omit<PagePosition, 'size'>): Promise<WrittenPage> => {
    let page = await written({ ...from, size: sizes[at]! })
    if (page.bytes > maxBytes) {
      while (at > 0 && page.bytes > maxBytes) page = await written({ ...from, size: sizes[--at]! })
      return page
    }
    while (at < sizes.length - 1 && !page.last) {
      const exported = from.exported + page.seen
      const after = page.products.at(-1)?.id ?? from.after
      const more = await written({ ...from, exported, after, size: sizes[at + 1]! - sizes[at]! })
      if (page.bytes + more.bytes > maxBytes) break
      page = joined(page, more)
      at++
    }
    return page
  }
}

function* textsOf({ products }: ProductPage): Steps<string[]> {
  const texts: string[] = []
  for (const product of products) {
    texts.push(JSON.stringify(toProduct40(product)))
    yield
  }
  return texts
}

const joined = (page: WrittenPage, more: WrittenPage): WrittenPage => ({
  products: [...page.products, ...more.products],
  texts: [...page.texts, ...more.texts],
  bytes: page.bytes + more.bytes,
  seen: page.seen + more.seen,
  last: more.last,
})
